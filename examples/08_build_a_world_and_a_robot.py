"""A world and a robot in a few lines of Python, saved as plain files that load back."""

import tempfile
from pathlib import Path

import outrider as o

world = o.WorldBuilder("yard").add(
    o.Floor(20, 20, material="grass"),
    o.Box(1, 1, 0.5).move(4, 1).rotate(yaw_deg=30),  # fixed: it has no mass
    o.Cylinder(0.2, 1, mass=5).move(2, -2),
)
cart = o.RobotBuilder("cart", size=(0.6, 0.4, 0.2), mass=12)
cart.wheels(radius=0.1, width=0.05, wheelbase=0.4, track=0.5).sensor("ping", "ping", x=0.3)

folder = Path(tempfile.mkdtemp())
files = world.save(folder / "yard.yaml"), cart.save(folder / "cart")
print(files[0].read_text())
built, loaded = world.simulate([cart]), o.Simulation(o.load_world(files[0]), [o.robot(files[1])])
for sim in (built, loaded):
    for _ in range(30):
        sim.robots["cart"].drive(0.5, 0.2)
        sim.run(0.1)
print("the cart is at", built.robots["cart"].pose.position.round(2))
print("the same from files:", built.state_hash == loaded.state_hash)
