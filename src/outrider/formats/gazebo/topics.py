"""Under which topic and frame Gazebo's sensors and plugins speak."""

from outrider.formats.xml_source import Element, XmlSource

_TOPICS = ("topicName", "topic_name", "topic")
_FRAMES = ("frameName", "frame_name", "frameId", "frame_id", "gz_frame_id", "ignition_frame_id")


def plugin_kind(plugin: Element) -> str:
    """Return a plugin's library without what differs between systems and versions."""
    name = (plugin.get("filename") or plugin.get("name") or "").rpartition("/")[2].lower()
    name = name.removeprefix("lib").removesuffix(".so").removesuffix(".dll")
    for prefix in ("gz-sim-", "ignition-gazebo-", "gz-sim7-", "gz-sim8-"):
        name = name.removeprefix(prefix)
    return name.replace("-", "_").removesuffix("_system")


def plugin_text(source: XmlSource, plugin: Element, *tags: str) -> str:
    """Return the text of the first of these tags that a plugin has."""
    return next((text for tag in tags if (text := source.child_text(plugin, tag))), "")


def relative(topic: str) -> str:
    """Return a topic as robots of ours have it: below their own namespace."""
    return topic.strip().lstrip("/").removeprefix("~/")


def sensor_topic(source: XmlSource, sensor: Element) -> tuple[str, str]:
    """Return topic and frame of a sensor: its plugin's words come before its own."""
    topic, frame = "", ""
    for owner in (*sensor.findall("plugin"), sensor):
        topic = topic or _remapped(source, owner) or plugin_text(source, owner, *_TOPICS)
        frame = frame or plugin_text(source, owner, *_FRAMES)
    return relative(topic), relative(frame)


def _remapped(source: XmlSource, plugin: Element) -> str:
    """Return the topic of ``<ros><remapping>~/out:=scan</remapping></ros>``."""
    ros = plugin.find("ros")
    if ros is None:
        return ""
    return source.child_text(ros, "remapping").rpartition(":=")[2]
