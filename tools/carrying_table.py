"""Things dropped on static meshes and worlds, as a table.

    python -m tools.carrying_table [COUNT] [MESH|WORLD...] [--bullet]

A line for each kind of mesh (all of them, where none is named), or for each world, imported or of
the library: how many of COUNT things (1000) fell through and how many left over its rim, how far
the contacts lie from the surface for things at rest and for those that still move, and how deep
triangles reach into things at rest, which does not depend on what the contacts say. A contact lies
in the middle of what has sunk in: a thing that moves at v sinks in by v times the step before it is
met, so that v * step / 2 is what a moving one may be off ("beyond half a step" should be about 0).

Falls on rough ground are chaotic, so that places after a fall say nothing about two engines. Poses
at rest do: with --bullet the same things fall on Bullet, each engine goes on for two seconds from
the poses in which things rest on the other, and those are counted that stay within 5 mm. Left out
are those that do not stay on their own engine either: something else rolls into them. Four robots
on their backs fall with every 35 things on a mesh, and with every hundred in a world.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "formats"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "physics"))

from carrying import AT_REST, Dropped, dropped, ground_model
from imported_worlds import WORLDS
from intrusion import intrusions
from rough_meshes import MESHES

from outrider.loader.library import library_names, load_world_spec
from outrider.loader.world import build_world
from outrider.world.model import Geometry, World

SLICE, SECONDS = 35, 2.5  # as many as lie beside each other on a mesh
IN_WORLD = 100
ROBOTS = ("jackal", "husky", "create", "autominy")
STAYS, AFTER = 0.005, 2.0  # m that a thing at rest may move on the other engine, and seconds
OTHER = {"mujoco": "bullet", "bullet": "mujoco"}
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
    deep_resting: list[float] = field(default_factory=list)  # how far triangles reach into things
    off_moving: list[float] = field(default_factory=list)
    beyond: float = 0.0  # m that a moving one is off beyond half of what it moves in a step
    at_rest: Counter[str] = field(default_factory=Counter)  # on each engine
    stay: Counter[str] = field(default_factory=Counter)  # of these, on the other one
    moves: dict[str, list[float]] = field(default_factory=dict)  # m that these move on that one

    def add(self, ended: Dropped) -> None:
        """Count the things of one simulation."""
        rest, off = ended.speeds < AT_REST, ended.off()
        self.things += len(rest)
        self.fell += int(ended.fell.sum())
        self.left += int(ended.left.sum())
        self.resting += int(rest.sum())
        self.off_resting += list(off[rest])
        self.off_moving += list(off[~rest])
        still = np.array(ended.bodies)[rest].tolist()
        self.deep_resting += list(intrusions(ended.simulation, ended.ground.triangles, still))
        half_step = ended.before * ended.simulation.rig.step_s / 2
        self.beyond = max([self.beyond, *(off - half_step)[~rest]])

    def exchange(self, engine: str, ended: Dropped) -> None:
        """Count what rests on an engine, and what of it stays there on the other."""
        kept = ended.kept(engine, AFTER, STAYS)
        moves = ended.moved_in(OTHER[engine], AFTER)[kept]
        self.at_rest[engine] += len(moves)
        self.stay[engine] += int((moves < STAYS).sum())
        self.moves.setdefault(engine, []).extend(moves.tolist())

    def told(self, name: str) -> str:
        """Return the line."""
        rest, deep, moving = (
            1e3 * max(off, default=0.0)
            for off in (self.off_resting, self.deep_resting, self.off_moving)
        )
        line = (
            f"{name:12} {self.fell:4} of {self.things} fell, {self.left} left   "
            f"at rest {self.resting:4}: within {rest:5.2f} mm, {deep:5.2f} mm deep   "
            f"moving: within {moving:5.2f} mm, {1e3 * self.beyond:5.2f} mm beyond half a step"
        )
        for engine, count in self.at_rest.items():
            line += f"   from {engine}: {self.stay[engine]} of {count} stay on {OTHER[engine]}"
            line += f" (median {1e3 * float(np.median(self.moves[engine])):.2f} mm)"
        return line


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
    for seed, world in enumerate(worlds(name)):
        much = min(many, count - row.things)
        ended = dropped(world, much, seed, "mujoco", SECONDS, ROBOTS)
        row.add(ended)
        if compare:
            row.exchange("mujoco", ended)
            row.exchange("bullet", dropped(world, much, seed, "bullet", SECONDS, ROBOTS))
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
