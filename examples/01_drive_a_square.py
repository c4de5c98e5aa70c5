"""Drive a robot in ten lines: a Jackal along a square of one metre."""

import math

import outrider as o

sim = o.Simulation(o.load_world("empty"), robots=[o.robot("jackal")])
jackal = sim.robots["jackal"]
for corner in (1, 2, 3, 4):
    for _ in range(20):  # a command holds for a quarter of a second
        jackal.drive(0.5)
        sim.run(0.1)
    while math.remainder(corner * math.pi / 2 - jackal.pose.rpy[2], 2 * math.pi) > 0.03:
        jackal.drive(0.0, 0.8)
        sim.run(0.02)
    x, y, _ = jackal.pose.position
    print(f"corner {corner}: x {x:.2f} y {y:.2f} yaw {math.degrees(jackal.pose.rpy[2]):.0f}")
