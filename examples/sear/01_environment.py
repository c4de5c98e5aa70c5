"""python 01_environment.py FOLDER: a floor with a box, a bin, a cone and a tree, as a file."""

import sys

import outrider as o

world = o.WorldBuilder("yard").add(
    o.Floor(50, 50),
    o.Box(0.25, 0.25, 0.25, name="box").move(-1.5, 0, 0.125).rotate(yaw_deg=45),
    o.Cylinder(0.25, 0.75, mass=10, name="bin").move(-3, 3.5, 0.375),
    o.Cone(0.25, 2, mass=10, name="cone").move(-2, 0, 1),
)
world.thing("tree", y=3)
print(world.save(f"{sys.argv[1]}/yard.yaml"))
