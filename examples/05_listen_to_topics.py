"""Listen to what a robot says: wheel odometry beside the truth."""

import outrider as o

sim = o.Simulation(o.load_world("ice"), robots=[o.robot("husky")])
husky = sim.robots["husky"]
odometry, truth = husky.sensors["odometry"], husky.sensors["ground_truth"]
print("topics:", ", ".join(topic.name for topic in sim.bus.topics()))
for second in range(1, 4):
    for _ in range(5):
        husky.drive(0.5, 0.5)
        sim.run(0.2)
    here, there = odometry.latest.pose.pose.position, truth.latest.pose.pose.position
    print(f"{second} s: wheels say ({here.x:.2f}, {here.y:.2f}), truth is", end=" ")
    print(f"({there.x:.2f}, {there.y:.2f})")
