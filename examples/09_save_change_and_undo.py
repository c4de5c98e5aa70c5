"""A running simulation is changed, saved, led back, and taken up again from a file."""

import tempfile
from pathlib import Path

import outrider as o

session = o.Session(o.scenario("playground-round"))
session.simulation.run(1.0)
session.add(o.Box(0.3, 1.2, 0.6, name="wall").move(1.5, 0))  # in the robot's way
session.simulation.run(2.0)
print(f"with a wall: x {session.simulation.robots['jackal'].pose.position[0]:.2f}")

session.undo()  # back to the moment before the wall
session.move("crate", 0.5, 3.0)
session.simulation.run(2.0)
print(f"without it: x {session.simulation.robots['jackal'].pose.position[0]:.2f}")

file = session.save(Path(tempfile.mkdtemp()) / "now.state")
again = o.Session.of_file(file)  # here, or another day on another machine
for each in (session, again):
    each.simulation.run(2.5)
same = session.simulation.state_hash == again.simulation.state_hash
print(f"{again.simulation.time_s:.1f} s: goes on as if nothing had been: {same}")
