"""Gazebo's plugins that move things, as Outrider's built-in components."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from outrider.core.structure import Data
from outrider.formats.gazebo.topics import named, plugin_kind, plugin_text, remapped
from outrider.formats.xml_source import Element, XmlSource

_Reader: TypeAlias = "Callable[[XmlSource, Element], Iterator[Data]]"
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
    default = _own(plugin, "cmd_vel") if plugin_kind(plugin) == "velocity_control" else "cmd_vel"
    told = plugin_text(source, plugin, "commandTopic", "command_topic", "topic") or default
    entry: Data = {"topic": _rooted(named(plugin, remapped(plugin, told)))}
    odometry = plugin_text(source, plugin, "odometryTopic", "odometry_topic")
    if odometry or remapped(plugin, "odom") != "odom":
        entry["odometry"] = _rooted(named(plugin, remapped(plugin, odometry or "odom")))
    for key, *tags in (
        ("frame", "odometryFrame", "odometry_frame"),
        ("child_frame", "robotBaseFrame", "robot_base_frame"),
    ):
        if text := plugin_text(source, plugin, *tags):
            entry[key] = text
    yield entry


def _joint(control: str, topic: str) -> _Reader:
    """Return the reader of a joint's controller; ``topic`` is where it listens if silent."""

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
            below = plugin_text(source, plugin, "sub_topic") or f"joint/{joint}/{topic}"
            entry["topic"] = _topic(source, plugin, "topic") or _own(plugin, below)
            yield entry

    return read


def _track(source: XmlSource, plugin: Element) -> Iterator[Data]:
    link = plugin_text(source, plugin, "link")
    topic = _topic(source, plugin, "velocity_topic") or _own(plugin, f"link/{link}/track_cmd_vel")
    yield {"speed": 0.0, "topic": topic, **({"on": link} if link else {})}


def _belt(source: XmlSource, plugin: Element) -> Iterator[Data]:
    """Read a belt of the ARIAC family: a share of its greatest speed, or a speed."""
    fastest = _number(source, plugin, "max_velocity")
    power = _number(source, plugin, "power") or 0.0  # per cent
    speed = _number(source, plugin, "velocity") if fastest is None else fastest * power / 100
    link = plugin_text(source, plugin, "link")
    entry: Data = {"speed": speed or 0.0, "topic": _own(plugin, "conveyor/speed")}
    if not speed:
        source.note(plugin, f"the belt stands until a speed comes on {entry['topic']}", "applied")
    yield {**entry, **({"on": link} if link else {})}


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


def _door(source: XmlSource, plugin: Element) -> Iterator[Data]:
    """Read a door of Open-RMF: one or two leaves, each open at the end of its joint's range."""
    for door in plugin.findall("door"):
        topic = _rooted(f"{door.get('name') or 'door'}/open")
        joints = (door.get("left_joint_name"), door.get("right_joint_name"))
        for joint in (name for name in joints if name and name != "empty_joint"):
            entry: Data = {"on": joint, "topic": topic, "open": _far_end(source, plugin, joint)}
            for key, tag in (("speed", "v_max_door"), ("effort", "f_max_door")):
                if (value := _number(source, plugin, tag)) is not None:
                    entry[key] = value
            yield entry


def _far_end(source: XmlSource, plugin: Element, joint: str) -> float:
    """Return the end of a joint's range that is farther from where it stands."""
    owner = plugin.getparent()
    joints = () if owner is None else (e for e in owner.iter("joint") if e.get("name") == joint)
    limits = (element.find("axis/limit") for element in joints)
    ends = [_number(source, limit, tag) for limit in limits if limit is not None for tag in _ENDS]
    return max((end for end in ends if end is not None and abs(end) < 1e3), key=abs, default=_OPEN)


def _joints(plugin: Element) -> list[str]:
    tags = ("joint_name", "jointName", "joint")
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


def _own(plugin: Element, topic: str) -> str:
    """Return a topic below the model's own, where Gazebo's systems listen."""
    around = plugin.iterancestors("model", "robot", "include")
    names = (e.get("name") or e.findtext("name", "").strip() for e in around)
    return _rooted(f"model/{next(names, '') or 'model'}/{topic}")


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
        *(
            "joint_name",
            "jointName",
            "joint",
            "door",
            "door_joint",
            "sub_topic",
            "p_gain",
            "i_gain",
        ),
        *("d_gain", "i_max", "i_min", "cmd_max", "cmd_min", "initial_position"),
        *("initial_velocity", "use_velocity_commands", "velocity", "link", "max_velocity", "power"),
        *("velocity_topic", "lift_joint", "cabin_joint", "floor_height", "cmd_topic"),
        *("v_max_door", "f_max_door", "publish_odom", "ros", "robotNamespace"),
    )
)
_ENDS = ("lower", "upper")
_OPEN = 1.5708  # rad: a leaf whose joint has no range
_READERS: dict[str, tuple[str, _Reader]] = {
    **dict.fromkeys(
        ("gazebo_ros_planar_move", "planarmoveplugin", "velocity_control"), ("planar-move", _planar)
    ),
    "joint_position_controller": ("joint-controller", _joint("position", "0/cmd_pos")),
    "joint_controller": ("joint-controller", _joint("velocity", "cmd_vel")),
    "apply_joint_force": ("joint-controller", _joint("effort", "cmd_force")),
    "track_controller": ("conveyor", _track),
    **dict.fromkeys(
        ("conveyorbeltplugin", "rosconveyorbeltplugin", "ros2conveyorbeltplugin"),
        ("conveyor", _belt),
    ),
    **dict.fromkeys(("elevatorplugin", "gazebo_ros_elevator", "elevator"), ("lift", _lift)),
    "door": ("gate", _door),
}
