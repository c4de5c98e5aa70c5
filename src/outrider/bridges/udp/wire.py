"""Bodies of messages: the ROS 1 serialisation, which is packed and little-endian."""

from outrider.bridges.udp.header import Buffer
from outrider.messages.ros1.convert import from_ros1, to_ros1
from outrider.messages.ros1.types import deserialize, ros1_type, written
from outrider.messages.types import Message


def write_body(message: Message, type_name: str) -> memoryview:
    """Return the bytes of a bus message; its arrays are copied once."""
    return written(to_ros1(type_name)(message), type_name)


def read_body(body: Buffer, type_name: str) -> Message:
    """Return the bus message in some bytes; raises BridgeError for bytes that are none."""
    convert = from_ros1(type_name)
    raw = body if isinstance(body, bytes | memoryview) else bytes(body)
    return convert(deserialize(raw, type_name))


def definition(type_name: str) -> str:
    """Return the .msg text of a type with all that it is made of."""
    return ros1_type(type_name).definition
