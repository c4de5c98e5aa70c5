"""A vehicle of one's own: buggy/buggy.urdf and buggy/buggy.yaml, four wheels on springs."""

from pathlib import Path

import outrider as o

buggy = o.robot(Path(__file__).parent / "buggy" / "buggy.yaml")
sim = o.Simulation(o.load_world("rough"), robots=[buggy])
joints = sim.bus.subscribe("/joint_states")
for _ in range(50):
    sim.robots["buggy"].drive(1.0)
    sim.run(0.1)
_, state = joints.latest
for name, position in zip(state.name, state.position, strict=True):
    if name.endswith("_suspension"):
        print(f"{name} is {100 * position:.1f} cm in")
print(f"the buggy drove {sim.robots['buggy'].pose.position[0]:.1f} m over the hills")
