"""Under which topic and frame Gazebo's sensors and plugins speak."""

import re
from collections.abc import Sequence

from outrider.formats.xml_source import Element, XmlSource

_TOPICS = ("topicName", "topic_name", "bumperTopicName", "topic")
_FRAMES = ("frameName", "frame_name", "frameId", "frame_id", "gz_frame_id", "ignition_frame_id")
_SYSTEM = re.compile(r"^(?:gz-sim|ignition-gazebo)-?\d*-")


def plugin_kind(plugin: Element) -> str:
    """Return a plugin's library without what differs between systems and versions."""
    name = (plugin.get("filename") or plugin.get("name") or "").rpartition("/")[2].lower()
    name = name.removeprefix("lib").removesuffix(".so").removesuffix(".dll")
    return _SYSTEM.sub("", name).replace("-", "_").removesuffix("_system")


def plugin_text(source: XmlSource, plugin: Element, *tags: str) -> str:
    """Return the text of the first of these tags that a plugin has."""
    return next((text for tag in tags if (text := source.child_text(plugin, tag))), "")


def relative(topic: str) -> str:
    """Return a topic as robots of ours have it: below their own namespace."""
    return topic.strip().lstrip("/").removeprefix("~/")


def namespace(plugin: Element) -> str:
    """Return the namespace that a plugin puts its topics in, without slashes at its ends."""
    told = plugin.findtext("ros/namespace") or plugin.findtext("robotNamespace") or ""
    return told.strip().strip("/")


def named(plugin: Element, topic: str) -> str:
    """Return a plugin's topic with the namespace around it, which absolute ones have not."""
    own = namespace(plugin)
    return f"{own}/{relative(topic)}" if own and topic and topic[0] != "/" else relative(topic)


def without(shared: str, topic: str) -> str:
    """Return a topic without a namespace that it may begin with."""
    return topic.removeprefix(f"{shared}/") if shared else topic


def shared_namespace(namespaces: Sequence[str]) -> str:
    """Return the namespace that all of these lie in: the robot's, in whose place ours is."""
    alike = []
    for level in zip(*(name.split("/") for name in namespaces), strict=False):
        if len(set(level)) > 1:
            break
        alike.append(level[0])
    return "/".join(alike)


def sensor_topic(source: XmlSource, sensor: Element) -> tuple[str, str]:
    """Return topic and frame of a sensor: its plugin's words come before its own."""
    topic, frame = "", ""
    for owner in (*sensor.findall("plugin"), *sensor.findall("contact"), sensor):
        names = remappings(owner)
        told = names.get("out", "") or next(iter(names.values()), "")
        topic = topic or named(owner, told or plugin_text(source, owner, *_TOPICS))
        frame = frame or plugin_text(source, owner, *_FRAMES)
    return topic, relative(frame)


def remappings(plugin: Element) -> dict[str, str]:
    """Return what ``<ros><remapping>~/out:=scan</remapping></ros>`` calls topics: old to new."""
    ros = plugin.find("ros")
    told = () if ros is None else (*ros.findall("remapping"), *ros.findall("argument"))
    pairs = ((e.text or "").partition(":=") for e in told)
    return {relative(old): new.strip() for old, given, new in pairs if given and new.strip()}


def remapped(plugin: Element, topic: str) -> str:
    """Return what a plugin calls a topic of its own in the end."""
    return remappings(plugin).get(relative(topic), topic)
