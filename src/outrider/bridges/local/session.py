"""One client of the local bridge: its requests, and what is pushed to it."""

import hmac
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import TypeAlias

from outrider.bridges.any_service import named_service
from outrider.bridges.local.json_lines import JsonLines, OversizedError, encode
from outrider.bus.bus import Bus
from outrider.bus.mailbox import Stamped, Subscription
from outrider.core.errors import BridgeError, OutriderError
from outrider.core.structure import Data
from outrider.messages.command_values import refuse_ignored
from outrider.messages.convert import from_dict, to_dict
from outrider.messages.services.reading import Service
from outrider.messages.store import full_name
from outrider.messages.topics import Kept

Request: TypeAlias = Data

_GREETING_S = 5.0
_GREETING_MOST = 4096  # bytes; nothing large is read from a stranger
_DEPTH = 200  # messages that wait for a client; an image may have a megabyte
_BATCH = 262_144  # bytes
_PAUSE_S = 0.001  # between pushes, so that a fast topic cannot take the whole interpreter


@dataclass(frozen=True, slots=True)
class WireFeed:
    """A subscription and the form its messages take on the wire."""

    topic: str
    subscription: Subscription
    content: bool  # without it only the times are told, as for measuring a rate
    longest: int | None  # see to_dict


class LocalSession:
    """Serves one connection: ``serve`` reads requests, a second thread pushes messages."""

    def __init__(
        self,
        lines: JsonLines,
        bus: Bus,
        services: Mapping[str, Service],
        token: str,
        now_ns: Callable[[], int],
    ) -> None:
        self._lines = lines
        self._bus = bus
        self._services = services
        self._token = token
        self._now_ns = now_ns
        self._feeds: dict[str, WireFeed] = {}
        self._wake = threading.Event()
        self._closed = threading.Event()
        self.greeted = False  # the token was shown
        self._slow = False
        self._ops: dict[str, Callable[[Request], Data]] = {
            "topics": self._topics,
            "subscribe": self._subscribe,
            "unsubscribe": self._unsubscribe,
            "publish": self._publish,
            "call": self._call,
        }

    def serve(self) -> str:
        """Serve until the connection ends; return why it was broken off, or nothing."""
        try:
            self.greeted = self._greet()
            if not self.greeted:
                return "token"
            threading.Thread(target=self._push, name="outrider-local-push", daemon=True).start()
            while True:
                self._answer(self._lines.receive())
        except OversizedError:
            return "oversized"
        except TimeoutError:
            return "slow"
        except ValueError:
            return "garbage"
        except (OSError, EOFError):
            if not self.greeted:
                return "token"
            return "slow" if self._slow else ""
        finally:
            self.close()

    def close(self) -> None:
        """End the connection and its subscriptions."""
        self._closed.set()
        self._wake.set()
        self._lines.close()
        for feed in list(self._feeds.values()):
            feed.subscription.close()

    def _greet(self) -> bool:
        first = self._lines.receive(_GREETING_S, _GREETING_MOST)
        if not hmac.compare_digest(str(first.get("token")).encode(), self._token.encode()):
            return False
        self._lines.send({"op": "hello"})
        return True

    def _answer(self, request: Request) -> None:
        op = self._ops.get(str(request.get("op")))
        if op is None:
            raise ValueError("not an operation")
        try:
            reply = {"op": "result", "id": request.get("id"), "result": op(request)}
        except OutriderError as error:
            reply = {"op": "error", "id": request.get("id"), "error": str(error)}
        try:
            self._lines.send(reply)
        except (TypeError, ValueError):
            reply = {"op": "error", "id": request.get("id"), "error": "the answer is not JSON"}
            self._lines.send(reply)

    def _topics(self, _: Request) -> Data:
        return {
            "topics": [asdict(topic) for topic in self._bus.topics()],
            "services": sorted(self._services),
        }

    def _subscribe(self, request: Request) -> Data:
        name = self._bus.channel(_slashed(request)).name
        self._unsubscribe({"topic": name})
        kept: Kept | None = "all" if request.get("kept") == "all" else None
        box = self._bus.subscribe(name, kept=kept, depth=_DEPTH, wake=self._wake)
        longest = request.get("longest")
        self._feeds[name] = WireFeed(
            name,
            box,
            request.get("content") is not False,
            longest if type(longest) is int else None,
        )
        self._wake.set()
        return {"topic": name}

    def _unsubscribe(self, request: Request) -> Data:
        name = _slashed(request)
        feed = self._feeds.pop(name, None)
        if feed is not None:
            feed.subscription.close()
        return {"topic": name}

    def _publish(self, request: Request) -> Data:
        channel = self._bus.channel(_slashed(request))
        name = channel.name
        if channel.direction != "in":
            raise BridgeError(f"topic '{name}' is published by the simulation, not to it")
        if (kind := request.get("type")) and full_name(str(kind)) != channel.type:
            raise BridgeError(f"topic '{name}' carries {channel.type}, not {kind}")
        message = from_dict(channel.type, request.get("msg", {}))
        refuse_ignored(name, message)
        channel.publish(message, self._now_ns())
        return {"topic": name}

    def _call(self, request: Request) -> Data:
        name = str(request.get("service"))
        service = named_service(self._services, name)
        args = request.get("args", {})
        if not isinstance(args, dict):
            raise BridgeError(f"service '{name}' takes named arguments, not {args!r:.60}")
        try:
            return service(args)
        except OutriderError:
            raise
        except Exception as error:  # a service's fault must not cost the client its connection
            raise BridgeError(f"service '{name}' failed: {type(error).__name__} {error}") from None

    def _push(self) -> None:
        """Send what subscriptions hold; a client that does not read is cut off."""
        try:
            while not self._closed.is_set():
                self._wake.wait()
                self._wake.clear()
                for feed in list(self._feeds.values()):
                    self._drain(feed)
                self._closed.wait(_PAUSE_S)
        except TimeoutError:
            self._slow = True
            self._lines.close()
        except OSError:
            self._lines.close()

    def _drain(self, feed: WireFeed) -> None:
        # Many lines in one write: each write gives the interpreter away for milliseconds.
        batch = bytearray()
        for _ in range(_DEPTH):
            item = feed.subscription.poll()
            if item is None:
                break
            batch += _line(feed, item)
            if len(batch) > _BATCH:
                self._lines.write(batch)
                batch.clear()
        if batch:
            self._lines.write(batch)


def _slashed(request: Request) -> str:
    return "/" + str(request.get("topic", "")).lstrip("/")


def _line(feed: WireFeed, item: Stamped) -> bytes:
    try:
        return encode(_pushed(feed, item))
    except (AttributeError, TypeError, ValueError) as error:  # a publisher's fault
        text = f"a message on '{feed.topic}' cannot be sent: {error}"
        return encode({"op": "error", "topic": feed.topic, "error": text})


def _pushed(feed: WireFeed, item: Stamped) -> Data:
    time_ns, message = item
    out = {
        "op": "message",
        "topic": feed.topic,
        "time_ns": time_ns,
        "dropped": feed.subscription.dropped,
    }
    if feed.content:
        out["msg"] = to_dict(message, octets="base64", longest=feed.longest)
    return out
