"""Simulate the scheduler of a sweep on clusters that nobody has at hand.

``python tools/scheduler_simulation.py`` prints the table of docs/scaling.md. One head gives out
runs and writes their lines one after the other; workers build the world once, then run; workers
die now and then, and their run is done again. Times are those that ``outrider bench sweep`` and
``--measure`` find; everything else is counted.
"""

import argparse
import heapq
import math
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Costs:
    """What a run costs, in seconds."""

    run_s: float = 2.5  # processor time of a 60 s drive with a LiDAR
    spread: float = 0.1  # of the run times, relative
    build_s: float = 8.0  # the first run of a worker: imports, world
    head_s: float = 0.018  # the head's time per run: give it out, write its line, sync
    line_bytes: int = 2600  # of a line of results
    life_s: float = 24 * 3600.0  # mean time until a worker dies


@dataclass(frozen=True)
class Outcome:
    """What became of a sweep."""

    wall_s: float
    busy: float  # share of the workers' time that was spent on runs that counted
    repeated: int  # runs done again because a worker died
    head: float  # share of the time that the head was busy


def simulate(runs: int, workers: int, costs: Costs, seed: int = 1) -> Outcome:
    """Play a sweep through: the earliest free worker gets the next run."""
    random = np.random.default_rng(seed)
    free = [(0.0, number, True) for number in range(workers)]  # when, who, must it build first
    head_free_s = wall_s = useful_s = 0.0
    repeated, left = 0, runs
    while left:
        at_s, number, fresh = heapq.heappop(free)
        head_free_s = max(at_s, head_free_s) + costs.head_s
        run_s = costs.run_s * math.exp(costs.spread * random.standard_normal())
        whole_s = run_s + (costs.build_s if fresh else 0.0)
        life_s = random.exponential(costs.life_s)
        died = life_s < whole_s
        end_s = head_free_s + min(life_s, whole_s)
        repeated += died
        left -= not died
        useful_s += 0.0 if died else run_s
        wall_s = max(wall_s, end_s)
        heapq.heappush(free, (end_s, number, died))
    share = costs.head_s * (runs + repeated) / wall_s
    return Outcome(wall_s, useful_s / (workers * wall_s), repeated, share)


def measured_head_s(lines: int = 300) -> float:
    """Return what the journal takes to put a line on this machine's disk."""
    from outrider.sweeps.journal import Journal

    line = {"text": "x" * Costs.line_bytes}
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal") as journal:
        began_s = time.perf_counter()
        for run in range(lines):
            journal.append(line | {"run": run})
        return (time.perf_counter() - began_s) / lines


def main() -> None:
    """Print a table over sizes of sweeps and clusters."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--measure", action="store_true", help="measure the head's time per run")
    parser.add_argument("--run-s", type=float, default=Costs.run_s, help="time of one run")
    parser.add_argument(
        "--head-ms", type=float, default=1000 * Costs.head_s, help="the head's time per run"
    )
    asked = parser.parse_args()
    head_s = measured_head_s() if asked.measure else asked.head_ms / 1000
    costs = Costs(run_s=asked.run_s, head_s=head_s)
    print(f"one run {costs.run_s:g} s, head {1000 * costs.head_s:.2g} ms per run")
    print("| runs | workers | wall time | workers busy | head busy | repeated | results |")
    print("|---|---|---|---|---|---|---|")
    for runs, workers in ((1000, 2), (1000, 100), (100_000, 100), (100_000, 1000), (100_000, 4000)):
        found = simulate(runs, workers, costs)
        print(
            f"| {runs} | {workers} | {found.wall_s / 60:.1f} min | {100 * found.busy:.0f} % |"
            f" {100 * found.head:.1f} % | {found.repeated} |"
            f" {runs * costs.line_bytes / 1e6:.0f} MB |"
        )


if __name__ == "__main__":
    main()
