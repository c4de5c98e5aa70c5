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
    reason: str = ""
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
        return Verdict(not line["completed"], min(known, default=None), line.get("reason", ""))
    value = measures(line).get(limit.figure)
    if value is None:  # a run that ended before there was anything to measure
        return Verdict(not line["completed"], reason=line.get("reason", ""))
    margin = _margin(value, {"least": limit.least, "most": limit.most})
    if margin is None or margin >= 0:
        return Verdict(failed=False, margin=margin)
    return Verdict(True, margin, f"{limit.figure} is {value:.5g}, {_beyond(value, limit)}")


def _beyond(value: float, limit: Limit) -> str:
    """Say which bound of a limit a value is beyond."""
    if limit.least is not None and value < limit.least:
        return f"below {limit.least:g}"
    return f"above {limit.most:g}"


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
