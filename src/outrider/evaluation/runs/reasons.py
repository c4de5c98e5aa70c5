"""Why a run was not completed, in one sentence."""

from outrider.core.structure import Data


def reason(result: Data) -> str | None:
    """Return the reason, or None for a run that was completed."""
    if result["completed"]:
        return None
    if result.get("error"):
        return str(result["error"])
    unmet = [item for item in result["expectations"] if not item["met"]]
    found = [
        *_faults(result),
        *_collisions(result),
        *_points(result),
        *(unmet_text(item) for item in unmet),
    ]
    return "; ".join(found) or f"it did not reach its goal in {result['sim_time_s']:g} s"


def unmet_text(verdict: Data) -> str:
    """Say what was expected and what was measured."""
    bounds = [
        f"{word} {verdict[key]:g}"
        for word, key in (("at least", "least"), ("at most", "most"))
        if key in verdict
    ]
    expected = " and ".join(bounds)
    value = verdict["value"]
    found = "was not measured" if value is None else f"is {value:.5g}"
    whose = f"{verdict['robot']}: " if verdict["robot"] else ""
    return f"{whose}{verdict['figure']} {found}, expected {expected}"


def _faults(result: Data) -> list[str]:
    return list(result.get("component_faults", ()))


def _collisions(result: Data) -> list[str]:
    met = result.get("met")
    return [f"{met['robot']} ran into '{met['what']}' at {met['time_s']:.1f} s"] if met else []


def _points(result: Data) -> list[str]:
    points = result.get("waypoints")
    if not points or points["reached"] == points["of"]:
        return []
    return [f"{points['reached']} of {points['of']} waypoints were reached"]
