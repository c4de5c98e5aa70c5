"""The topics of one robot or sensor: those with a common prefix."""

from outrider.bus.bus import Bus


def topics_under(bus: Bus, prefix: str) -> dict[str, str]:
    """Return the topics directly under a prefix, by their types."""
    return {t.type: t.name for t in bus.topics() if t.name.rpartition("/")[0] == prefix}
