"""Foxglove's own play, pause and seek, for replays."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from outrider.bridges.foxglove.sdk import sdk
from outrider.bridges.peer_errors import PeerErrors
from outrider.core.clock import to_ns, to_s
from outrider.core.errors import OutriderError
from outrider.messages.services.reading import Service

if TYPE_CHECKING:
    from foxglove.websocket import PlaybackControlRequest, PlaybackState, WebSocketServer


class Playback:
    """Playback control of a replay; a simulation has none."""

    def __init__(self, services: Mapping[str, Service], peer_errors: PeerErrors) -> None:
        self._services, self._peer_errors = services, peer_errors
        self._shown: tuple[bool, float] | None = None

    def time_range(self) -> tuple[int, int] | None:
        """Return the first and the last time, or None if time only goes forward."""
        if "seek" not in self._services:
            return None
        status = self._services["status"]({})
        return to_ns(status["start_s"]), to_ns(status["end_s"])

    def asked(self, request: "PlaybackControlRequest") -> "PlaybackState | None":
        """Carry a client's wish out; tell how things stand then."""
        kinds = sdk().websocket
        if "seek" not in self._services:
            return None
        try:
            if request.seek_time is not None:
                first_ns = to_ns(self._services["status"]({})["recorded_from_s"])
                self._services["seek"]({"time_s": to_s(request.seek_time - first_ns)})
            self._services["set_speed"]({"speed": float(request.playback_speed)})
            pause = request.playback_command == kinds.PlaybackCommand.Pause
            self._services["pause" if pause else "resume"]({})
        except OutriderError as error:
            self._peer_errors.note("refused playback", str(error))
        return self._state(request.request_id, request.seek_time is not None)

    def publish(self, server: "WebSocketServer") -> None:
        """Tell clients what has changed by other means."""
        if "seek" not in self._services:
            return
        status = self._services["status"]({})
        now = (status["paused"], status["speed"])
        if now != self._shown:
            self._shown = now
            server.broadcast_playback_state(self._state(None, False))

    def _state(self, request_id: str | None, did_seek: bool) -> "PlaybackState":
        kinds = sdk().websocket
        status = self._services["status"]({})
        paused = bool(status["paused"])
        state: PlaybackState = kinds.PlaybackState(
            kinds.PlaybackStatus.Paused if paused else kinds.PlaybackStatus.Playing,
            to_ns(status["time_s"]),
            float(status["speed"]),
            did_seek,
            request_id,
        )
        return state
