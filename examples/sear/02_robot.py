"""python 02_robot.py FOLDER: a robot like a Roomba, two driven wheels and two castors, as files."""

import sys

import outrider as o

robot = o.RobotBuilder("my_roomba", body=o.Cylinder(0.1666875, 0.0762, mass=3.5))
for side in (1, -1):
    robot.add(o.Wheel(0.0381, 0.03).move(y=0.14 * side, z=-0.01))
    robot.add(o.Castor(0.0181).move(x=0.13 * side, z=-0.03))
robot.sensor("odometer", "create-odometer")  # gives it a serial port with the Open Interface
print(robot.save(f"{sys.argv[1]}/my_roomba"))
