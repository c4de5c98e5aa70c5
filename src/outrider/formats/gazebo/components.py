"""Gazebo's plugins that move things, as Outrider's built-in components."""

from collections.abc import Callable, Iterator

from outrider.core.structure import Data
from outrider.formats.gazebo.topics import plugin_kind, plugin_text
from outrider.formats.xml_source import Element, XmlSource

_LATER = {  # what has a place of its own here, but is not read from Gazebo's files
    "wind": "wind is read from the world's <wind>",
    "wind_effects": "wind is read from the world's <wind>",
    "actor": "people and vehicles are actors of a world",
    "follow_actor": "people and vehicles are actors of a world",
    "actorplugin": "people and vehicles are actors of a world",
    "windplugin": "wind is read from the world's <wind>",
}


def read_components(source: XmlSource, plugin: Element) -> list[Data] | None:
    """Return the components that stand in for a plugin; None if it is none of these."""
    kind = plugin_kind(plugin)
    if kind in _LATER:
        source.note(plugin, f"plugin {kind} was left out: {_LATER[kind]}", key=f"plugin {kind}")
        return []
    if kind not in _READERS:
        return None
    name, read = _READERS[kind]
    entries = [{"type": name, **entry} for entry in read(source, plugin)]
    if entries:
        source.note(plugin, f"plugin {kind} became the component '{name}'", "applied", kind)
    else:
        source.note(plugin, f"plugin {kind} was left out: it does not say what it moves")
    _note_unread(source, plugin, kind)
    return entries


def _planar(source: XmlSource, plugin: Element) -> Iterator[Data]:
    entry: Data = {"topic": _topic(source, plugin, "commandTopic", "command_topic", "topic")}
    if odometry := plugin_text(source, plugin, "odometryTopic", "odometry_topic"):
        entry["odometry"] = _rooted(odometry)
    for key, *tags in (
        ("frame", "odometryFrame", "odometry_frame"),
        ("child_frame", "robotBaseFrame", "robot_base_frame"),
    ):
        if text := plugin_text(source, plugin, *tags):
            entry[key] = text
    yield {**entry, "topic": entry["topic"] or "/cmd_vel"}


def _joint(control: str) -> Callable[[XmlSource, Element], Iterator[Data]]:
    def read(source: XmlSource, plugin: Element) -> Iterator[Data]:
        for joint in _joints(plugin):
            entry: Data = {"on": joint, "control": control}
            for key, tag in (
                ("p", "p_gain"),
                ("i", "i_gain"),
                ("d", "d_gain"),
                ("windup", "i_max"),
                ("effort", "cmd_max"),
                ("target", "initial_position"),
                ("target", "initial_velocity"),
            ):
                if (value := _number(source, plugin, tag)) is not None:
                    entry[key] = value if key == "target" else abs(value)
            if topic := _topic(source, plugin, "topic", "sub_topic"):
                entry["topic"] = topic
            yield entry

    return read


def _conveyor(source: XmlSource, plugin: Element) -> Iterator[Data]:
    entry: Data = {}
    for tag in ("belt_velocity", "velocity", "max_velocity", "power"):
        if (speed := _number(source, plugin, tag)) is not None:
            entry["speed"] = speed
            break
    if topic := _topic(source, plugin, "velocity_topic", "topic"):
        entry["topic"] = topic
    if link := plugin_text(source, plugin, "link"):
        entry["on"] = link
    yield entry


def _lift(source: XmlSource, plugin: Element) -> Iterator[Data]:
    lift = plugin_text(source, plugin, "lift_joint", "cabin_joint")
    height = _number(source, plugin, "floor_height")
    if not lift:
        return
    floors = [0.0, height if height is not None else 3.0]
    entry: Data = {"on": lift, "floors": floors}
    if topic := _topic(source, plugin, "topic", "cmd_topic"):
        entry["topic"] = topic
    yield entry
    if door := plugin_text(source, plugin, "door_joint"):
        yield {"type": "gate", "on": door, "open": 1.0, "near": 2.0}


def _gate(source: XmlSource, plugin: Element) -> Iterator[Data]:
    for joint in _joints(plugin):
        entry: Data = {"on": joint}
        for key, tags in (("open", ("open", "open_position", "max_angle")), ("speed", ("speed",))):
            for tag in tags:
                if (value := _number(source, plugin, tag)) is not None:
                    entry[key] = value
        if topic := _topic(source, plugin, "topic", "topicName"):
            entry["topic"] = topic
        yield entry


def _joints(plugin: Element) -> list[str]:
    tags = ("joint_name", "jointName", "joint", "door_joint")
    found = [(e.text or "").strip() for tag in tags for e in plugin.findall(tag)]
    return [name for name in dict.fromkeys(found) if name]


def _number(source: XmlSource, plugin: Element, tag: str) -> float | None:
    child = plugin.find(tag)
    if child is None or not (child.text or "").strip():
        return None
    return source.parse(child, tag, child.text or "", 1)[0]


def _topic(source: XmlSource, plugin: Element, *tags: str) -> str:
    text = plugin_text(source, plugin, *tags)
    return _rooted(text) if text else ""


def _rooted(topic: str) -> str:
    return "/" + topic.strip().removeprefix("~").strip("/")


def _note_unread(source: XmlSource, plugin: Element, kind: str) -> None:
    unread = [str(e.tag) for e in plugin if isinstance(e.tag, str) and e.tag not in _READ]
    if unread:
        source.note(plugin, f"left out of {kind}: {', '.join(dict.fromkeys(unread))}")


_READ = frozenset(
    (
        *("commandTopic", "command_topic", "topic", "odometryTopic", "odometry_topic"),
        *("odometryFrame", "odometry_frame", "robotBaseFrame", "robot_base_frame"),
        *("joint_name", "jointName", "joint", "door_joint", "sub_topic", "p_gain", "i_gain"),
        *("d_gain", "i_max", "i_min", "cmd_max", "cmd_min", "initial_position"),
        *("initial_velocity", "use_velocity_commands", "belt_velocity", "velocity", "link"),
        *("max_velocity", "power", "velocity_topic", "lift_joint", "cabin_joint", "floor_height"),
        *("cmd_topic", "open", "open_position", "max_angle", "speed", "topicName"),
        *("odometryRate", "update_rate", "updateRate", "publish_odom", "ros", "robotNamespace"),
    )
)
_READERS: dict[str, tuple[str, Callable[[XmlSource, Element], Iterator[Data]]]] = {
    **dict.fromkeys(
        ("gazebo_ros_planar_move", "planarmoveplugin", "velocity_control"), ("planar-move", _planar)
    ),
    "joint_position_controller": ("joint-controller", _joint("position")),
    "joint_controller": ("joint-controller", _joint("velocity")),
    "apply_joint_force": ("joint-controller", _joint("effort")),
    **dict.fromkeys(
        (
            "track_controller",
            "conveyorbeltplugin",
            "rosconveyorbeltplugin",
            "gazebo_ros_conveyorbelt",
            "conveyor_belt",
        ),
        ("conveyor", _conveyor),
    ),
    **dict.fromkeys(("elevatorplugin", "gazebo_ros_elevator", "elevator"), ("lift", _lift)),
    **dict.fromkeys(("doorplugin", "gazebo_ros_door", "door_plugin"), ("gate", _gate)),
}
