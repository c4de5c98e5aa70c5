"""Things dropped on static meshes and worlds, as a table.

    python -m tools.carrying_table [COUNT] [MESH|WORLD...] [--bullet]

A line for each kind of mesh (all of them, where none is named), or for each world, imported or of
the library: how many of COUNT things (1000) fell through and how many left over its rim, how far
the contacts lie from the surface for things at rest and for those that still move. Where asked for,
the same fall is computed by Bullet: how many come to rest within 5 cm of the same place (falls on
rough ground are chaotic), and how many of those that rest on Bullet stay within 5 cm for a second
when MuJoCo goes on from there. A contact lies in the middle of what has sunk in: a thing that moves
at v sinks in by v times the step before it is met, so that v * step / 2 is what a moving one may be
off; in an impact v is what it was before. In worlds, four robots on their backs fall with every
hundred things.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "formats"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "physics"))

from carrying import AT_REST, Dropped, dropped, ground_model
from imported_worlds import WORLDS
from rough_meshes import MESHES

from outrider.loader.library import library_names, load_world_spec
from outrider.loader.world import build_world
from outrider.world.model import Geometry, World

SLICE, SECONDS = 35, 2.5  # as many as lie beside each other on a mesh
IN_WORLD = 100
ROBOTS = ("jackal", "husky", "create", "autominy")
TOGETHER = 0.05  # m between two engines
IMPORTED = {make.__name__: make for make in WORLDS}
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


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
    resting_bullet: int = 0
    stay: int = 0

    def add(self, ended: Dropped) -> None:
        """Count the things of one simulation."""
        rest, off = ended.speeds < AT_REST, ended.off()
        self.things += len(rest)
        self.fell += int(ended.fell.sum())
        self.left += int(ended.left.sum())
        self.resting += int(rest.sum())
        self.off_resting += list(off[rest])
        self.off_moving += list(off[~rest])
        half_step = ended.speeds * ended.simulation.rig.step_s / 2
        self.beyond = max([self.beyond, *(off - half_step)[~rest]])

    def compare(self, one: Dropped, other: Dropped) -> None:
        """Count the things that lie at rest in both, and how many of them at one place."""
        rest = (one.speeds < AT_REST) & (other.speeds < AT_REST)
        apart = np.linalg.norm(one.positions - other.positions, axis=1)[rest]
        self.compared += len(apart)
        self.agree += int((apart < TOGETHER).sum())
        still = other.speeds < AT_REST
        self.resting_bullet += int(still.sum())
        self.stay += int((other.moved_in("mujoco", 1.0)[still] < TOGETHER).sum())

    def told(self, name: str) -> str:
        """Return the line."""
        rest, moving = (1e3 * max(off, default=0.0) for off in (self.off_resting, self.off_moving))
        line = (
            f"{name:12} {self.fell:4} of {self.things} fell, {self.left} left   "
            f"at rest {self.resting:4}: within "
            f"{rest:5.2f} mm   moving: within {moving:5.2f} mm, {1e3 * self.beyond:5.2f} mm beyond "
            "half a step"
        )
        if not self.resting_bullet:
            return line
        return (
            f"{line}   Bullet: {self.agree} of {self.compared} at the same place, "
            f"{self.stay} of {self.resting_bullet} stay"
        )


def worlds(name: str) -> Iterator[World]:
    """Yield one world after the other: a mesh is another one each time."""
    if name in MESHES:
        seed = 0
        while True:
            mesh = Geometry(MESHES[name](np.random.default_rng(seed)))
            yield World("drop", (ground_model([mesh]),))
            seed += 1
    world = IMPORTED[name](SHARED) if name in IMPORTED else build_world(load_world_spec(name))
    while True:
        yield world


def row_of(name: str, count: int, compare: bool) -> Row:
    """Drop things on a kind of mesh or a world, a few at a time."""
    row, many = Row(), SLICE if name in MESHES else IN_WORLD
    robots = () if name in MESHES else ROBOTS
    for seed, world in enumerate(worlds(name)):
        much = min(many, count - row.things)
        ended = dropped(world, much, seed, "mujoco", SECONDS, robots)
        row.add(ended)
        if compare:
            row.compare(ended, dropped(world, much, seed, "bullet", SECONDS, robots))
        if row.things >= count:
            break
    return row


def main() -> None:
    """Print the table."""
    words = [word for word in sys.argv[1:] if word != "--bullet"]
    count = int(words[0]) if words else 1000
    known = [*MESHES, *IMPORTED, *library_names("worlds")]
    for name in words[1:] or list(MESHES):
        if name not in known:
            raise SystemExit(f"there is no '{name}', but: {', '.join(known)}")
        print(row_of(name, count, "--bullet" in sys.argv).told(name), flush=True)


if __name__ == "__main__":
    main()
