"""Whether a run failed, and if not, by how much it held."""

import math
from dataclasses import dataclass

from outrider.core.structure import Data
from outrider.sweeps.spec import Limit
from outrider.sweeps.table import measures


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a run."""

    failed: bool
    margin: float | None = None  # what is left until it fails; None: unknown
    begun: bool = True  # not so: its values make a scenario that is refused, which says nothing


def begun(line: Data) -> bool:
    """Return whether a run took place: values that were drawn may put a robot into a wall."""
    return bool(line.get("begun", True))


def judge(line: Data, limit: Limit | None) -> Verdict:
    """Judge a run by a limit of the sweep, or else by its scenario's own conditions."""
    if not begun(line):
        return Verdict(failed=False, begun=False)
    if limit is None:
        margins = [_margin(item["value"], item) for item in line["result"].get("expectations", [])]
        known = [margin for margin in margins if margin is not None]
        return Verdict(not line["completed"], min(known, default=None))
    value = measures(line).get(limit.figure)
    if value is None:  # a run that ended before there was anything to measure
        return Verdict(not line["completed"])
    margin = _margin(value, {"least": limit.least, "most": limit.most})
    return Verdict(margin is not None and margin < 0, margin)


def _margin(value: float, bounds: Data) -> float | None:
    """Return how far a value is from the nearer of its bounds, negative outside."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        return None
    found = []
    if bounds.get("least") is not None:
        found.append(value - bounds["least"])
    if bounds.get("most") is not None:
        found.append(bounds["most"] - value)
    return min(found, default=None)
