"""Robots that fall on grounds at up to 77 m/s, turned anyhow and spinning, as a table.

    python -m tools.landings [COUNT] [--engine NAME] [--robot NAME...] [--ground NAME...] [--seed N]

Draws COUNT landings (180): grounds and robots by turns, places, speeds of 5 to 77 m/s (a fall from
300 m), orientations and spins of up to 12 rad/s at random. A landing is right if the robot has come
to rest within 150 s (slower than 5 mm/s, less than 2 mm of creep in 2 s) or slides on a slope that
friction does not hold, if no collider is more than 5 mm below the ground and no tyre or belt more
than 5 mm or 8 % of its radius beyond what its load presses it in by, and if it never had more
energy than at the start. Each that is not is told with the seed that repeats it; who skips over the
rim of the ground, 120 m away, is not counted. Robots are those of the library, and files.
"""

import argparse
import sys
from collections import Counter
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "physics"))

from landing import GROUNDS, Ended, Fall, Faller

from outrider.loader.library import library_names
from outrider.vehicles.robot import Robot, load_robot


def landed(robot: Robot, ground: str, engine: str, seed: int) -> Ended:
    """Let a robot fall as a seed says."""
    return Faller(robot, ground, Fall.drawn(np.random.default_rng(seed)), engine).run()


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("count", type=int, nargs="?", default=180)
    parser.add_argument("--engine", default="mujoco")
    parser.add_argument("--robot", nargs="+", default=list(library_names("robots")))
    parser.add_argument("--ground", nargs="+", default=list(GROUNDS), choices=list(GROUNDS))
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    """Draw landings; print those that are wrong, then the table."""
    asked = options()
    robots = {name: load_robot(name) for name in asked.robot}
    pairs = [(robot, ground) for ground in asked.ground for robot in robots]
    counted: Counter[tuple[str, str, bool]] = Counter()
    for number in range(asked.count):
        robot, ground = pairs[number % len(pairs)]
        seed = asked.seed + number
        ended = landed(robots[robot], ground, asked.engine, seed)
        counted[robot, ground, ended.right] += not ended.left
        if not (ended.right or ended.left):
            print(f"{Path(robot).stem:12} {ground:12} seed {seed:5}  {ended.told()}", flush=True)
    print(f"{asked.engine:12}", *(f"{ground:>12}" for ground in asked.ground))
    for robot in robots:
        cells = [(counted[robot, g, True], counted[robot, g, False]) for g in asked.ground]
        shown = (f"{good:>4} of {good + bad:<4}".rjust(12) for good, bad in cells)
        print(f"{Path(robot).stem:12}", *shown)
    right = sum(many for (_, _, good), many in counted.items() if good)
    print(f"{right} of {counted.total()} right")


if __name__ == "__main__":
    main()
