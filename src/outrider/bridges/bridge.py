"""What every bridge gets and must offer, and how one is specified: ``name:key=value,...``."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Protocol, cast, get_origin, get_type_hints

from outrider.bridges.addresses import refuse_addresses
from outrider.bridges.policy import Access, Policy, guarded
from outrider.bus.bus import Bus
from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import parse_yaml
from outrider.core.registry import Registry
from outrider.core.structure import Data, from_data
from outrider.messages.services.reading import Service
from outrider.world.model import World

BRIDGES = Registry(
    "bridge",
    {
        "foxglove": "outrider.bridges.foxglove.bridge:FoxgloveBridge",
        "ros1": "outrider.bridges.ros1.bridge:Ros1Bridge",
        "ros2": "outrider.bridges.ros2.bridge:Ros2Bridge",
        "rosbridge": "outrider.bridges.rosbridge.bridge:RosbridgeBridge",
        "ros-tcp": "outrider.bridges.ros_tcp.bridge:RosTcpBridge",
        "udp": "outrider.bridges.udp.bridge:UdpBridge",
        "velodyne": "outrider.bridges.velodyne.bridge:VelodyneBridge",
        "serial": "outrider.devices.bridge:SerialBridge",
    },
)


@dataclass(frozen=True, slots=True)
class RobotDescription:
    """A robot's description for other programs."""

    name: str
    namespace: str  # without slashes at its ends; may be empty
    frame_prefix: str  # what its frames begin with
    urdf: str  # mesh files as file:// addresses
    files: frozenset[str] = frozenset()  # those addresses: no others in it are ours to give out

    @property
    def topic(self) -> str:
        """Where the description is published."""
        return f"/{self.namespace}/robot_description".replace("//", "/")


@dataclass(frozen=True, slots=True)
class Outside:
    """A run as bridges see it; everything may be used from any thread.

    ``services`` are carried out between two steps; their names and arguments are in
    ``docs/control.md``. ``robots`` returns the current ones, including spawned ones.
    """

    bus: Bus
    services: Mapping[str, Service]
    now_ns: Callable[[], int]
    robots: Callable[[], list[RobotDescription]]
    scenario: str = ""
    policy: Policy = field(default_factory=Policy)  # what peers may ask for
    world: Callable[[], World | None] = lambda: None  # as it was built, robots among its models


class Bridge(Protocol):
    """A connection to other programs. It has its own threads and never blocks a publisher."""

    Options: ClassVar[type]  # a frozen dataclass: the keys that its text may have

    def start(self) -> None:
        """Begin; a peer that is not there yet is waited for in the background."""

    def close(self) -> None:
        """Send all peers away and end all threads."""

    def counts(self) -> dict[str, int]:
        """Return what was lost or refused so far, by reason."""


class BridgeFactory(Protocol):
    """The constructor of every bridge."""

    Options: ClassVar[type]

    def __call__(self, outside: Outside, options: Any) -> Bridge:
        """Make a bridge that has not started."""


class BridgeChoice(NamedTuple):
    """A bridge as specified by text like ``ros1:master=own,control=off``."""

    kind: BridgeFactory
    options: Any
    access: Access


def make_bridge(text: str, outside: Outside) -> Bridge:
    """Return the bridge that a text like ``ros1:master=own`` asks for."""
    kind, options, access = read_bridge(text)
    policy = outside.policy.narrowed(access)
    services = guarded(outside.services, policy)
    return kind(replace(outside, services=services, policy=policy), options)


def bridge_options(text: str) -> tuple[BridgeFactory, Any]:
    """Return a bridge's class and its options, checked."""
    kind, options, _ = read_bridge(text)
    return kind, options


def read_bridge(text: str, *, of_file: bool = False) -> BridgeChoice:
    """Return what a text asks for, checked; a file may not name addresses beyond loopback."""
    name, _, rest = text.partition(":")
    where = f"bridge '{name}'"
    kind = cast(BridgeFactory, BRIDGES.load(name.strip()))
    values = _values(kind.Options, rest, text)
    common = {key: values.pop(key) for key in _COMMON if key in values}
    options: object = from_data(kind.Options, values, where)
    if of_file:
        refuse_addresses(options, text)
    return BridgeChoice(kind, options, from_data(Access, common, where))


_COMMON = tuple(f.name for f in dataclasses.fields(Access))


def _values(options: type, rest: str, text: str) -> Data:
    hints = get_type_hints(options)
    several = {f.name for f in dataclasses.fields(options) if get_origin(hints[f.name]) is tuple}
    plain_text = {f.name for f in dataclasses.fields(options) if hints[f.name] is str}
    bare = [f.name for f in dataclasses.fields(options) if f.metadata.get("bare")]
    found: Data = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        key = key.strip()
        if not equals and bare:  # an address, say, needs no name
            key, equals, value = bare.pop(), "=", part.strip()
        if not equals or not key:
            raise ConfigError(f"bridge '{text}': expected NAME:KEY=VALUE,..., got '{part}'")
        if key in several:
            found.setdefault(key, []).append(value)
        elif key in found:
            raise ConfigError(f"bridge '{text}': {key} is given twice")
        else:
            found[key] = value if key in plain_text else parse_yaml(f"v: {value}", text)["v"]
    return found
