"""rosapi: services that list topics, types and parameters; roslib and roslibpy use them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from outrider.bridges.bridge import Outside
from outrider.bridges.rosbridge.actions import ActionOperations
from outrider.bridges.rosbridge.calls import Calls, OwnService
from outrider.bridges.rosbridge.encoding.forms import (
    Form,
    form_of,
    short_name,
    spelled,
    spelled_service,
)
from outrider.bridges.rosbridge.parameters import RosapiParameters
from outrider.bridges.rosbridge.topics import TopicOperations
from outrider.bridges.rosbridge.type_details import type_details
from outrider.bridges.rosbridge.typed_service import named
from outrider.bridges.service_types import service_type
from outrider.bus.channel import TopicInfo
from outrider.core.clock import NS_PER_S
from outrider.core.errors import BridgeError
from outrider.core.structure import Data
from outrider.messages.ros1.types import ros1_type
from outrider.messages.store import full_name, store

Fields: TypeAlias = Data
Handler: TypeAlias = Callable[["_Asked"], Fields]

_SELF, _CLIENTS, _API = "/outrider", "/rosbridge_websocket", "/rosapi"
_NODES = (_SELF, _API, _CLIENTS)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request, and the form that its answer is to have."""

    fields: Fields
    form: Form

    def text(self, key: str) -> str:
        """Return a text that must be there."""
        value = self.fields.get(key)
        if not isinstance(value, str):
            raise BridgeError(f"expected a text in '{key}', got {value!r:.40}")
        return value

    def name(self, key: str) -> str:
        """Return the full name of a topic, service or node."""
        return "/" + self.text(key).strip("/")


@dataclass(frozen=True, slots=True)
class _ApiService:
    """One of them; its answers are JSON already."""

    kind: str
    handler: Handler

    def answer(self, arguments: object, form: Form) -> Fields:
        """Return the response."""
        fields = dict(named(arguments, service_type(self.kind).request, form))
        return self.handler(_Asked(fields, form))


class RosApi:
    """Answers from the bus, the services, the actions and the parameters."""

    def __init__(
        self, outside: Outside, topics: TopicOperations, calls: Calls, goals: ActionOperations
    ) -> None:
        self._outside = outside
        self._topics, self._calls, self._goals = topics, calls, goals
        self._parameters = RosapiParameters(outside.robots)

    def services(self) -> dict[str, OwnService]:
        """Return them by name."""
        found: dict[str, tuple[str, Handler]] = {
            **self._about_topics(),
            **self._about_services(),
            **self._about_nodes(),
            **self._about_parameters(),
            "get_time": ("GetTime", lambda _: {"time": self._time()}),
            "get_ros_version": ("GetROSVersion", lambda asked: _version(asked.form)),
        }
        return {
            f"/rosapi/{name}": _ApiService(f"rosapi/{kind}", handler)
            for name, (kind, handler) in found.items()
        }

    def _about_topics(self) -> dict[str, tuple[str, Handler]]:
        return {
            "topics": ("Topics", self._list),
            "topics_for_type": ("TopicsForType", self._for_type),
            "topics_and_raw_types": ("TopicsAndRawTypes", self._raw_types),
            "topic_type": ("TopicType", self._type),
            "publishers": ("Publishers", self._publishers),
            "subscribers": ("Subscribers", self._subscribers),
            "message_details": (
                "MessageDetails",
                lambda a: _details(a.text("type"), form_of(a.text("type"))),
            ),
        }

    def _about_services(self) -> dict[str, tuple[str, Handler]]:
        return {
            "services": ("Services", lambda _: {"services": sorted(self._calls.types())}),
            "services_for_type": ("ServicesForType", self._services_for_type),
            "service_type": ("ServiceType", self._service_type),
            "service_node": ("ServiceNode", lambda a: {"node": self._node_of(a.name("service"))}),
            "service_providers": ("ServiceProviders", self._providers),
            "service_host": ("ServiceHost", lambda _: {"host": "localhost"}),
            "service_request_details": ("ServiceRequestDetails", self._request_details),
            "service_response_details": ("ServiceResponseDetails", self._response_details),
            "action_servers": (
                "GetActionServers",
                lambda _: {"action_servers": self._goals.names()},
            ),
        }

    def _about_nodes(self) -> dict[str, tuple[str, Handler]]:
        return {
            "nodes": ("Nodes", lambda _: {"nodes": list(_NODES)}),
            "node_details": ("NodeDetails", self._node_details),
        }

    def _about_parameters(self) -> dict[str, tuple[str, Handler]]:
        held = self._parameters
        return {
            "get_param": ("GetParam", self._get),
            "set_param": ("SetParam", self._set),
            "has_param": ("HasParam", lambda a: {"exists": held.has(a.text("name"))}),
            "delete_param": ("DeleteParam", self._delete),
            "search_param": (
                "SearchParam",
                lambda a: {"global_name": held.search(a.text("name"))},
            ),
            "get_param_names": ("GetParamNames", lambda _: {"names": held.names()}),
        }

    def _list(self, asked: _Asked) -> Fields:
        found = self._outside.bus.topics()
        return {
            "topics": [topic.name for topic in found],
            "types": [spelled(topic.type, asked.form) for topic in found],
        }

    def _for_type(self, asked: _Asked) -> Fields:
        full = full_name(asked.text("type"))
        return {"topics": [t.name for t in self._outside.bus.topics() if t.type == full]}

    def _raw_types(self, asked: _Asked) -> Fields:
        texts = [_definition(topic.type, asked.form) for topic in self._outside.bus.topics()]
        return {**self._list(asked), "typedefs_full_text": texts}

    def _type(self, asked: _Asked) -> Fields:
        topic = self._find(asked)
        return {"type": spelled(topic.type, asked.form) if topic else ""}

    def _find(self, asked: _Asked) -> TopicInfo | None:
        name = asked.name("topic")
        return next((t for t in self._outside.bus.topics() if t.name == name), None)

    def _publishers(self, asked: _Asked) -> Fields:
        topic = self._find(asked)
        return {"publishers": _ends(topic, topic is not None and topic.direction == "out")}

    def _subscribers(self, asked: _Asked) -> Fields:
        topic = self._find(asked)
        return {"subscribers": _ends(topic, topic is not None and topic.direction == "in")}

    def _services_for_type(self, asked: _Asked) -> Fields:
        wanted = short_name(asked.text("type"))
        return {"services": sorted(n for n, k in self._calls.types().items() if k == wanted)}

    def _service_type(self, asked: _Asked) -> Fields:
        kind = self._calls.types().get(asked.name("service"), "")
        return {"type": spelled_service(kind, asked.form)}

    def _node_of(self, name: str) -> str:
        if name in self._calls.offered():
            return _CLIENTS
        if name not in self._calls.types():
            return ""
        return _API if name.startswith(f"{_API}/") else _SELF

    def _providers(self, asked: _Asked) -> Fields:
        node = self._node_of(asked.name("service"))
        return {"providers": [node] if node else []}

    def _request_details(self, asked: _Asked) -> Fields:
        kind = asked.text("type")
        return _details(service_type(short_name(kind)).request, form_of(kind))

    def _response_details(self, asked: _Asked) -> Fields:
        kind = asked.text("type")
        return _details(service_type(short_name(kind)).response, form_of(kind))

    def _node_details(self, asked: _Asked) -> Fields:
        node = asked.name("node")
        if node not in _NODES:
            raise BridgeError(f"there is no node '{node:.80}'; known: {', '.join(_NODES)}")
        topics = self._outside.bus.topics() if node == _SELF else []
        services = [n for n in self._calls.types() if self._node_of(n) == node]
        added = sorted(self._topics.made()) if node == _CLIENTS else []
        return {
            "subscribing": [topic.name for topic in topics if topic.direction == "in"],
            "publishing": [topic.name for topic in topics if topic.direction == "out"] + added,
            "services": sorted(services),
        }

    def _get(self, asked: _Asked) -> Fields:
        default = asked.fields.get("default", asked.fields.get("default_value", ""))
        return {"value": self._parameters.get(asked.text("name"), str(default))}

    def _set(self, asked: _Asked) -> Fields:
        self._parameters.set(asked.text("name"), asked.text("value"))
        return {}

    def _delete(self, asked: _Asked) -> Fields:
        self._parameters.delete(asked.text("name"))
        return {}

    def _time(self) -> dict[str, int]:
        """Return the simulated time in both spellings: clients of either form ask for it."""
        seconds, rest = divmod(self._outside.now_ns(), NS_PER_S)
        return {"secs": seconds, "nsecs": rest, "sec": seconds, "nanosec": rest}


def _ends(topic: TopicInfo | None, ours: bool) -> list[str]:
    return [] if topic is None else [_SELF if ours else _CLIENTS]


def _details(name: str, form: Form) -> Fields:
    return {"typedefs": type_details(name, form)}


def _definition(full: str, form: Form) -> str:
    if form == "ros1":
        return ros1_type(full).definition
    text: str = store().generate_msgdef(full, ros_version=2)[0]
    return text


def _version(form: Form) -> Fields:
    return (
        {"version": 1, "distro": "noetic"} if form == "ros1" else {"version": 2, "distro": "jazzy"}
    )
