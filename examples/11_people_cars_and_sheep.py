"""A person walks around a robot, a car stops for it, and sheep run from it."""

import numpy as np

from outrider.scenarios.build import build
from outrider.scenarios.load import loads

sim = build(
    loads("""
robots: [{model: jackal, motion: {type: drive, speed: 0.5}}]
actors:
  - {type: person, name: anna, points: [[8, 0], [-8, 0]], loop: false}
  - {type: car, name: taxi, points: [[4, -25], [4, 40]], loop: false, speed: 5}
  - {type: herd, name: sheep, count: 6, area: {centre: [1, 5], size: [6, 4]}}
""")
)
bodies = {name: sim.rig.assembly.root(name) for name in ("anna", "taxi", "sheep_1", "jackal")}
nearest = np.full(4, np.inf)
while sim.time_s < 8.0:
    sim.run(0.2)
    places = sim.state.bodies["position"][list(bodies.values())]
    nearest = np.minimum(nearest, np.linalg.norm(places - places[-1], axis=1))
print(", ".join(f"{name} {gap:.1f} m" for name, gap in zip(bodies, nearest[:3], strict=False)))
print("collisions:", len(sim.collisions))
