"""What bridges see of a replay: its bus, its time, and the services that steer it."""

from typing import Any

from outrider.bridges.bridge import Outside
from outrider.core.errors import RecordingError
from outrider.messages.services.reading import Service
from outrider.recording.replay import Replay


class _Services(dict[str, Service]):
    """Services that only a simulation has are refused, not missing."""

    def __missing__(self, name: str) -> Service:
        def refuse(_: dict[str, Any]) -> dict[str, Any]:
            raise RecordingError(f"this is a replay: it has no service '{name}'")

        return refuse


def outside_of_replay(replay: Replay) -> Outside:
    """Return what bridges see of a replay."""
    services = _Services(replay.services())
    return Outside(replay.bus, services, lambda: replay.now_ns, list, replay.path.name)
