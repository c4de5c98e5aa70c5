"""Several robots in one world, each under a namespace of its own."""

import outrider as o

models = ["jackal", "husky", "tracked_ugv"]
robots = [o.robot(m, y=3.0 * i, namespace=m) for i, m in enumerate(models)]
sim = o.Simulation(o.load_world("playground"), robots)
for _ in range(30):
    for robot in sim.robots.values():
        robot.drive(0.4)
    sim.run(0.1)
for robot in sim.robots.values():
    print(f"{robot.topics['cmd_vel']:20} drove to x = {robot.pose.position[0]:.2f} m")
