"""The header that opens every TCPROS connection."""

import struct

from outrider.core.errors import BridgeError

MOST = 65_536  # bytes of a header that a stranger may send


def encode_header(fields: dict[str, str]) -> bytes:
    """Return a header with its length before it."""
    parts = [f"{key}={value}".encode() for key, value in sorted(fields.items())]
    body = b"".join(struct.pack("<I", len(part)) + part for part in parts)
    return struct.pack("<I", len(body)) + body


def decode_header(body: bytes) -> dict[str, str]:
    """Return the fields of a header, given without its length."""
    fields, at = {}, 0
    while at < len(body):
        if at + 4 > len(body):
            raise BridgeError("a connection header ends inside a length field")
        (size,) = struct.unpack_from("<I", body, at)
        at += 4
        if size > len(body) - at:
            raise BridgeError("a connection header has a field longer than itself")
        key, sign, value = body[at : at + size].decode("utf-8", "replace").partition("=")
        if not sign:
            raise BridgeError("a connection header has a field without '='")
        fields[key] = value
        at += size
    return fields
