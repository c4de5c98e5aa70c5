"""python -m tools.fuzz files|requests|devices: damaged files, requests and serial bytes, in slices.

    python -m tools.fuzz files --first 0 --count 20000
    python -m tools.fuzz requests --first 0 --count 100000
    python -m tools.fuzz devices --first 0 --count 100000

A case is known by its number and the seed. The exit code is 1 if a case failed; each class of
failures is told in one line, with the first bytes of its first case.
"""

import argparse
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable

from tools.fuzz import devices, files, requests
from tools.fuzz.limits import Outcome

_KINDS = {"files": files.outcomes, "requests": requests.outcomes, "devices": devices.outcomes}
_DIGITS = re.compile(r"\d+|'[^']*'|\"[^\"]*\"")


def main() -> int:
    """Run the cases of a slice, and tell."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("what", choices=list(_KINDS))
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="only samples, ports or devices of this name")
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no case after that")
    asked = parser.parse_args()
    found = _KINDS[asked.what](asked.first, asked.count, asked.seed, asked.only)
    return told(found, asked.seconds)


def told(found: Iterable[Outcome], seconds: float) -> int:
    """Print what was found: a line a class of failures, then sums."""
    classes: dict[str, list[Outcome]] = {}
    kinds: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    slowest, last = Outcome(0, ""), -1
    began = time.monotonic()
    for outcome in found:
        began = began if kinds else time.monotonic()  # samples and servers have begun by now
        last = outcome.number
        kinds[outcome.kind] += 1
        refused[outcome.kind] += outcome.refused
        slowest = max(slowest, outcome, key=lambda one: one.seconds)
        if outcome.fault:
            classes.setdefault(_class_of(outcome), []).append(outcome)
        if time.monotonic() - began > seconds:
            break
    for same in sorted(classes.values(), key=len, reverse=True):
        first = same[0]
        print(f"{len(same)} x {first.kind} {first.number}: {first.fault} | {first.first_bytes}")
    for kind, total in sorted(kinds.items()):
        print(f"{kind}: {total} cases, {refused[kind]} refused")
    spent = time.monotonic() - began
    print(f"slowest: {slowest.kind} {slowest.number}, {slowest.seconds:.1f} s")
    print(
        f"{kinds.total()} cases in {spent:.0f} s up to {last}, {len(classes)} classes of failures"
    )
    return 1 if classes else 0


def _class_of(outcome: Outcome) -> str:
    return _DIGITS.sub("#", outcome.fault.partition(": ")[0])


if __name__ == "__main__":
    sys.exit(main())
