"""One message in one of the client encodings: JSON, CBOR, raw bytes, or PNG."""

import itertools
from dataclasses import dataclass
from typing import Literal, TypeAlias

from outrider.bridges.rosbridge.encoding import cbor
from outrider.bridges.rosbridge.encoding.forms import Form
from outrider.bridges.rosbridge.encoding.fragments import cut
from outrider.bridges.rosbridge.encoding.frames import Outgoing, outgoing, outgoing_binary
from outrider.bridges.rosbridge.encoding.plain import json_bytes, plain
from outrider.bridges.rosbridge.encoding.png import wrapped
from outrider.messages.ros1.convert import to_ros1
from outrider.messages.ros1.types import written
from outrider.messages.store import store
from outrider.messages.types import Message

Compression: TypeAlias = Literal["none", "png", "cbor", "cbor-raw"]

COMPRESSIONS: tuple[Compression, ...] = ("none", "png", "cbor", "cbor-raw")  # later ones win
_names = itertools.count()  # of messages that go in pieces


@dataclass(frozen=True, slots=True)
class Encoding:
    """The encoding of a subscription; equal ones share encoded messages."""

    form: Form
    compression: Compression = "none"
    fragment_size: int | None = None


def encoded(encoding: Encoding, topic: str, time_ns: int, message: Message) -> Outgoing:
    """Return a published message as it goes out."""
    if encoding.compression == "cbor":
        return outgoing_binary(cbor.published(topic, message, encoding.form))
    if encoding.compression == "cbor-raw":
        return outgoing_binary(cbor.published_raw(topic, time_ns, _raw(message, encoding.form)))
    content = plain(message.__msgtype__, encoding.form)(message)
    text = json_bytes({"op": "publish", "topic": topic, "msg": content})
    return encoded_text(text, encoding.compression, encoding.fragment_size)


def encoded_text(text: bytes, compression: str, fragment_size: int | None) -> Outgoing:
    """Return JSON as it goes out: as it is, as a picture, or in pieces."""
    if compression == "png":
        text = json_bytes({"op": "png", "data": wrapped(text)})
    return outgoing(cut(text, fragment_size, str(next(_names))))


def _raw(message: Message, form: Form) -> memoryview:
    full = message.__msgtype__
    if form == "ros1":
        return memoryview(written(to_ros1(full)(message), full)).cast("B")
    return memoryview(store().serialize_cdr(message, full)).cast("B")
