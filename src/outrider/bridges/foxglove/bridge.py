"""Foxglove: every topic of the bus with its ROS 2 schema, and control of the simulation."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from outrider.bridges.addresses import HERE, address, token_for
from outrider.bridges.bridge import Outside
from outrider.bridges.foxglove.assets import Assets
from outrider.bridges.foxglove.channel import FoxgloveChannel, Latched
from outrider.bridges.foxglove.client_messages import ClientMessages
from outrider.bridges.foxglove.origin_check import OriginCheck, hidden_host
from outrider.bridges.foxglove.parameters import FoxgloveParameters
from outrider.bridges.foxglove.playback import Playback
from outrider.bridges.foxglove.scene import SceneTopic
from outrider.bridges.foxglove.sdk import sdk
from outrider.bridges.foxglove.sdk_log import SdkLog
from outrider.bridges.foxglove.services import offered_services
from outrider.bridges.foxglove.truth_frames import TruthFrames
from outrider.bridges.peer_errors import PeerErrors, speaker
from outrider.bus.topic_watch import TopicWatch
from outrider.core.errors import BridgeError
from outrider.core.process.service_thread import ServiceThread
from outrider.core.structure import number

if TYPE_CHECKING:
    from foxglove import Parameter
    from foxglove.websocket import (
        ChannelView,
        Client,
        ClientChannel,
        PlaybackControlRequest,
        PlaybackState,
        WebSocketServer,
    )

_LOOK_S = 0.1  # between looks at who listens and which topics there are
_REST_S = 0.002  # between rounds, so that a fast topic cannot take the whole interpreter
_TIME_S = 0.02  # between two tellings of the time, in wall time
_BACKLOG = 128  # messages that wait for one client; older ones are dropped


@dataclass(frozen=True, slots=True)
class FoxgloveOptions:
    """The options of ``--bridge foxglove:...``."""

    port: int = number(8765, least=0, most=65535)  # 0 takes a free one
    host: str = address("127.0.0.1")  # any other address asks for a token
    token: str = ""  # asked of every client; on other addresses than loopback one is made up
    scene: bool = True  # show the world itself on /scene
    origin: tuple[str, ...] = address(())  # more web pages that may connect (repeatable)


class FoxgloveBridge:
    """Serves Foxglove from its own thread; reads the bus only for topics that are shown."""

    Options: ClassVar[type[object]] = FoxgloveOptions

    def __init__(self, outside: Outside, options: FoxgloveOptions) -> None:
        self._outside, self._options = outside, options
        self.token = token_for(options.token, away=options.host not in HERE)
        self._sdk = sdk()
        self._peer_errors = PeerErrors(self._say)
        # told here only: the library may be amid talking to its clients
        self._faults = PeerErrors(partial(self._say, warn=False))
        self._log = SdkLog(self._faults)
        self._context = self._sdk.Context()
        self._watch = TopicWatch(outside.bus)
        self._channels: dict[str, FoxgloveChannel] = {}
        self._latched: dict[str, Latched] = {}
        self._assets = Assets()
        self._scene = SceneTopic(self._context, outside) if options.scene else None
        self._parameters = FoxgloveParameters(outside.services, self._peer_errors)
        self._playback = Playback(outside.services, self._peer_errors)
        self._client_messages = ClientMessages(
            outside.bus, outside.now_ns, self._peer_errors, outside.policy
        )
        self._server: WebSocketServer | None = None
        self._origin_check: OriginCheck | None = None
        self._told_ns = -1
        self._told_s = 0.0
        self._wake = threading.Event()
        self._truth_frames = TruthFrames(self._context, outside.bus, self._wake)
        self._closed = threading.Event()
        self._thread = ServiceThread(self._work, "outrider-foxglove")

    def start(self) -> None:
        """Start listening."""
        kinds = self._sdk.websocket.Capability
        capabilities = [kinds.ClientPublish, kinds.Parameters, kinds.Services, kinds.Time]
        playback = self._playback.time_range()
        if playback is not None:
            capabilities.append(kinds.PlaybackControl)
        self._log.open()
        hidden = hidden_host()
        try:
            options = self._options
            place = options.host, options.port
            self._origin_check = OriginCheck(*place, options.origin, self.token, self._faults)
            self._server = self._sdk.start_server(
                name=self._outside.scenario or "Outrider",
                host=hidden,
                port=0,
                capabilities=capabilities,
                server_listener=_Listener(self),
                supported_encodings=["json", "cdr"],
                services=offered_services(self._outside.services),
                asset_handler=self._assets.read,
                context=self._context,
                playback_time_range=playback,
                message_backlog_size=_BACKLOG,
            )
        except (OSError, RuntimeError) as error:
            self._log.close()
            if self._origin_check is not None:
                self._origin_check.close()
            where = f"{self._options.host}:{self._options.port}"
            raise BridgeError(f"foxglove: cannot listen on {where}: {error}") from None
        self._look()
        self._origin_check.start(hidden, int(self._server.port))
        self._parameters.start(self._server)
        told = f"/?token={self.token}" if self.token and not self._options.token else ""
        self._say(f"open ws://{self._options.host}:{self.port}{told} in Foxglove", warn=False)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._origin_check is not None
        return self._origin_check.port

    def close(self) -> None:
        """Send all clients away."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._parameters.close()
        self._wake.set()
        self._thread.wait_for_end(5.0)
        for channel in self._channels.values():
            channel.close()
        if self._origin_check is not None:
            self._origin_check.close()
        if self._server is not None:
            self._server.stop()
        self._log.close()

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far, by reason."""
        dropped = sum(channel.dropped for channel in list(self._channels.values()))
        return {**self._peer_errors.counts, **self._faults.counts, "dropped": dropped}

    def _work(self) -> None:
        look_s = 0.0
        while not self._closed.is_set():
            now_s = time.monotonic()
            if now_s >= look_s:
                self._safely(self._look)
                look_s = now_s + _LOOK_S
            self._wake.wait(_TIME_S)
            self._wake.clear()
            for channel in self._channels.values():
                self._safely(channel.drain)
            self._safely(self._truth_frames.drain)
            self._safely(self._tell_time)
            self._closed.wait(_REST_S)

    def _safely(self, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:  # one topic's fault is not the others'
            self._peer_errors.note(type(error).__name__, f"{error}")

    def _look(self) -> None:
        """Follow the bus, the robots and the clients."""
        came, gone = self._watch.changes()
        for topic in gone:
            if topic.name in self._channels:
                self._channels.pop(topic.name).close()
        for topic in came:
            if topic.direction == "out":
                self._channels[topic.name] = FoxgloveChannel(self._sdk, self._context, topic)
        if came or gone:
            self._describe_robots()
        for channel in self._channels.values():
            channel.listen(self._outside.bus, self._wake)
        self._truth_frames.follow(self._watch.known.values())
        for text in self._latched.values():
            text.look(self._outside.now_ns())
        if self._scene is not None:
            self._scene.look()
        self._playback.publish(self._server)

    def _describe_robots(self) -> None:
        for robot in self._outside.robots():
            if robot.topic not in self._latched:
                self._latched[robot.topic] = Latched(self._sdk, self._context, robot.topic)
            self._latched[robot.topic].say(self._assets.described(robot))

    def _tell_time(self) -> None:
        assert self._server is not None
        now_s, now_ns = time.monotonic(), self._outside.now_ns()
        if now_s - self._told_s < _TIME_S or now_ns == self._told_ns:
            return
        if now_ns < self._told_ns:
            self._server.clear_session()  # after a reset, what was shown is of another past
            self._resend()
        self._told_s, self._told_ns = now_s, now_ns
        self._server.broadcast_time(now_ns)

    def _resend(self) -> None:
        self._truth_frames.forget()
        for channel in self._channels.values():
            channel.resend()
        for text in self._latched.values():
            text.resend()
        if self._scene is not None:
            self._scene.resend()

    def subscribed(self, topic: str) -> None:
        """Give a new reader what is said only once; called in the server's threads."""
        for found in (self._channels.get(topic), self._latched.get(topic)):
            if found is not None:
                found.resend()
        if self._scene is not None and topic == self._scene.topic:
            self._scene.resend()
        self._wake.set()

    @property
    def parts(self) -> tuple[ClientMessages, FoxgloveParameters, Playback]:
        """What answers clients."""
        return self._client_messages, self._parameters, self._playback

    def _say(self, sentence: str, *, warn: bool = True) -> None:
        speaker("foxglove")(sentence)
        if warn and self._server is not None:
            self._server.publish_status(sentence, self._sdk.StatusLevel.Warning)


class _Listener:
    """What the server calls, in threads of its own."""

    def __init__(self, bridge: FoxgloveBridge) -> None:
        self._bridge = bridge
        self._client_messages, self._parameters, self._playback = bridge.parts

    def on_subscribe(self, _client: object, channel: "ChannelView") -> None:
        self._bridge.subscribed(channel.topic)

    def on_unsubscribe(self, client: object, channel: object) -> None:
        pass

    def on_client_advertise(self, client: "Client", channel: "ClientChannel") -> None:
        self._client_messages.advertise(client.id, channel)

    def on_client_unadvertise(self, client: "Client", client_channel_id: int) -> None:
        self._client_messages.unadvertise(client.id, client_channel_id)

    def on_message_data(self, client: "Client", client_channel_id: int, data: bytes) -> None:
        self._client_messages.take(client.id, client_channel_id, data)

    def on_get_parameters(
        self,
        _client: object,
        param_names: list[str],
        _request_id: str | None = None,
    ) -> "list[Parameter]":
        return self._parameters.get(param_names)

    def on_set_parameters(
        self,
        _client: object,
        parameters: "list[Parameter]",
        _request_id: str | None = None,
    ) -> "list[Parameter]":
        return self._parameters.set(parameters)

    def on_parameters_subscribe(self, param_names: list[str]) -> None:
        pass

    def on_parameters_unsubscribe(self, param_names: list[str]) -> None:
        pass

    def on_connection_graph_subscribe(self) -> None:
        pass

    def on_connection_graph_unsubscribe(self) -> None:
        pass

    def on_playback_control_request(
        self, request: "PlaybackControlRequest"
    ) -> "PlaybackState | None":
        return self._playback.asked(request)
