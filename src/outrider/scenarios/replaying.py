"""A replay as bridges see it: its bus, its time, and the services that control it."""

from outrider.bridges.bridge import Outside
from outrider.core.errors import RecordingError
from outrider.messages.services.reading import Answer, Arguments, Service
from outrider.messages.services.table import SERVICES
from outrider.recording.replay import Replay


def outside_of_replay(replay: Replay) -> Outside:
    """Return what bridges see of a replay; services that only a simulation has are refused."""
    services = {**{name: _refusal(name) for name in SERVICES}, **replay.services()}
    return Outside(replay.bus, services, lambda: replay.now_ns, list, replay.path.name)


def _refusal(name: str) -> Service:
    def refuse(_: Arguments) -> Answer:
        raise RecordingError(f"this is a replay: it has no service '{name}'")

    return refuse
