"""A box on a path crosses a robot's way: the run ends when they meet."""

from outrider.scenarios.build import build
from outrider.scenarios.load import loads

sim = build(
    loads("""
robots: [{model: husky, motion: {type: drive, speed: 0.5}}]
obstacles:
  - name: box
    shape: {type: box, size: [0.5, 0.5, 0.5]}
    path: {points: [[3, 2.5, 0.3], [3, -2.5, 0.3]], speed: 0.5}
end: [{type: collision}]
""")
)
sim.run(20.0)
hit = sim.collisions[-1]
print(f"after {sim.time_s:.2f} s: {hit.first} met {hit.second}")
print(f"at {hit.point.round(2)}, impulse {hit.impulse:.1f} N s, passed: {sim.finished}")
