"""Things dropped on static meshes, as a table.

    python -m tools.carrying_table [COUNT] [MESH...] [--bullet]

A line for each kind of mesh: how many of COUNT things (1000) fell through and how many left over
its rim, how far their contacts lie from the surface for things at rest and for those that still
move, and, where asked for, how many come to rest at the same place on Bullet. A contact lies in the
middle of what has sunk in: a thing that moves at v sinks in by v times the step before it is met,
so that v * step / 2 is what a moving one may be off; in an impact v is what it was before.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "physics"))

from carrying import dropped
from rough_meshes import MESHES

from outrider.core.frames import Array
from outrider.physics.colliders.distance import nearest
from outrider.sim.simulation import Simulation
from outrider.world.assembly import WORLD
from outrider.world.model import Geometry

SLICE, SECONDS = 100, 2.5
AT_REST = 0.02  # m/s
TOGETHER = 0.05  # m between two engines


@dataclass
class Row:
    """One kind of mesh."""

    things: int = 0
    fell: int = 0
    left: int = 0  # over the rim
    resting: int = 0
    off_resting: list[float] = field(default_factory=list)
    off_moving: list[float] = field(default_factory=list)
    beyond: float = 0.0  # m that a moving one is off beyond half of what it moves in a step
    compared: int = 0
    agree: int = 0

    def add(self, simulation: Simulation, ground: Geometry) -> None:
        """Count the things of one simulation."""
        bodies = simulation.state.bodies
        corners: Array = ground.shape.vertices  # type: ignore[union-attr]
        below = bodies["position"][:, 2] < corners[:, 2].min() - 0.5
        aside = (np.abs(bodies["position"][:, :2]) > np.abs(corners[:, :2]).max(axis=0)).any(axis=1)
        speed = speeds(simulation)
        self.things += len(bodies)
        self.fell += int((below & ~aside).sum())
        self.left += int((below & aside).sum())
        self.resting += int((speed < AT_REST).sum())
        for body, off in contacts_off(simulation, ground):
            (self.off_resting if speed[body] < AT_REST else self.off_moving).append(off)
            if speed[body] >= AT_REST:
                self.beyond = max(self.beyond, off - speed[body] * simulation.rig.step_s / 2)

    def compare(self, one: Simulation, other: Simulation) -> None:
        """Count the things that lie at rest in both, and how many of them at one place."""
        rest = [speeds(s) < AT_REST for s in (one, other)]
        apart = np.linalg.norm(
            one.state.bodies["position"] - other.state.bodies["position"], axis=1
        )[rest[0] & rest[1]]
        self.compared += len(apart)
        self.agree += int((apart < TOGETHER).sum())

    def told(self, name: str) -> str:
        """Return the line."""
        rest, moving = (1e3 * max(off, default=0.0) for off in (self.off_resting, self.off_moving))
        return (
            f"{name:12} {self.fell:4} of {self.things} fell, {self.left} left   "
            f"at rest {self.resting:4}: within "
            f"{rest:5.2f} mm   moving: within {moving:5.2f} mm, {1e3 * self.beyond:5.2f} mm beyond "
            "half a step"
            + (f"   {self.agree} of {self.compared} lie where Bullet's do" if self.compared else "")
        )


def speeds(simulation: Simulation) -> Array:
    """Return how fast the fastest point of each thing is, at most: half a metre from its middle."""
    bodies = simulation.state.bodies
    spin = np.linalg.norm(bodies["angular_velocity"], axis=1)
    found: Array = np.linalg.norm(bodies["velocity"], axis=1) + 0.5 * spin
    return found


def contacts_off(simulation: Simulation, ground: Geometry) -> list[tuple[int, float]]:
    """Return for each contact with the ground the body and how far it lies from the triangles."""
    found = [c for c in simulation.rig.engine.contacts() if WORLD in (c.first, c.second)]
    if not found:
        return []
    triangles = ground.shape.vertices[ground.shape.faces]  # type: ignore[union-attr]
    off: Array = nearest(np.array([c.point for c in found]), triangles)
    return [(max(c.first, c.second), float(far)) for c, far in zip(found, off, strict=True)]


def row_of(name: str, count: int, compare: bool) -> Row:
    """Drop things on a kind of mesh, a hundred at a time, each time on another mesh."""
    row, seed = Row(), 0
    while row.things < count:
        ground = Geometry(MESHES[name](np.random.default_rng(seed)))
        many = min(SLICE, count - row.things)
        ended = [dropped([ground], many, seed, "mujoco", SECONDS)]
        row.add(ended[0], ground)
        if compare:
            row.compare(ended[0], dropped([ground], many, seed, "bullet", SECONDS))
        seed += 1
    return row


def main() -> None:
    """Print the table."""
    words = [word for word in sys.argv[1:] if word != "--bullet"]
    count = int(words[0]) if words else 1000
    for name in words[1:] or list(MESHES):
        print(row_of(name, count, "--bullet" in sys.argv).told(name), flush=True)


if __name__ == "__main__":
    main()
