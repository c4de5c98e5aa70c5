"""What a plugin below a sensor says of it: how often, how noisy, and as which message."""

from __future__ import annotations

from collections.abc import Collection

from outrider.formats.gazebo.topics import plugin_kind, plugin_text
from outrider.formats.xml_source import Element, XmlSource

_RATES = ("updateRate", "update_rate", "updateRateHZ")
_NOISE = "gaussianNoise"
_RANGERS = ("gazebo_ros_range", "hector_gazebo_ros_sonar")
_SCANNERS = ("gazebo_ros_laser", "gazebo_ros_gpu_laser")
READ_TAGS = frozenset(
    (
        *_RATES,
        *("ros", "robotNamespace", "alwaysOn", "always_on", "bodyName", "body_name", "output_type"),
        *("topicName", "topic_name", "topic", "bumperTopicName", "frameName", "frame_name"),
        *("frameId", "frame_id", "gz_frame_id", "ignition_frame_id", "fov", "serviceName"),
        *("min_range", "max_range", "radiation", "visualize"),
        # cameras
        *("cameraName", "camera_name", "imageTopicName", "cameraInfoTopicName"),
        *("depthImageTopicName", "depthImageCameraInfoTopicName", "pointCloudTopicName"),
        *("pointCloudCutoff", "pointCloudCutoffMax", "min_depth", "max_depth"),
        *("distortionK1", "distortionK2", "distortionK3", "distortionT1", "distortionT2"),
        # what follows from the lens itself
        *("CxPrime", "Cx", "Cy", "focalLength"),
    )
)
_SAYS_NOTHING = ("false", "none")


def sensor_rate(source: XmlSource, sensor: Element) -> float:
    """Return the lower of a sensor's own rate and its plugin's; 0 where neither is said."""
    plugins = sensor.findall("plugin")
    found = [source.child_number(plugin, tag, 0.0) for plugin in plugins for tag in _RATES]
    return min(
        (r for r in (source.child_number(sensor, "update_rate", 0.0), *found) if r > 0), default=0.0
    )


def plugin_noise(source: XmlSource, sensor: Element) -> float:
    """Return the standard deviation that a sensor's plugin adds."""
    return max(
        (abs(source.child_number(p, _NOISE, 0.0)) for p in sensor.findall("plugin")), default=0.0
    )


def plugin_range(
    source: XmlSource, sensor: Element, low: float, high: float
) -> tuple[float, float]:
    """Return the limits of a LiDAR as far as its plugin lets them through."""
    for plugin in sensor.findall("plugin"):
        low = max(low, source.child_number(plugin, "min_range", low))
        high = min(high, source.child_number(plugin, "max_range", high))
    return low, high


def message_type(source: XmlSource, sensor: Element) -> str:
    """Return the message that a ray sensor's plugin makes: "Range", "LaserScan", ... or nothing."""
    for plugin in sensor.findall("plugin"):
        if plugin_kind(plugin) in _RANGERS:
            return "Range"
        if plugin_kind(plugin) in _SCANNERS:
            return "LaserScan"
        if told := plugin_text(source, plugin, "output_type"):
            return told.rpartition("/")[2]
    return ""


def note_unread_plugins(source: XmlSource, sensor: Element, *, noise_is_read: bool) -> None:
    """Say what the plugins of a sensor ask for that has no counterpart here."""
    for plugin in sensor.findall("plugin"):
        note_unread(source, plugin, READ_TAGS | {_NOISE} if noise_is_read else READ_TAGS)


def note_unread(source: XmlSource, plugin: Element, known: Collection[str] = READ_TAGS) -> None:
    """Say which tags of a plugin are not known and say more than a default."""
    unread = [e for e in plugin if e.tag not in known and _says_something(e)]
    if unread:
        told = ", ".join(f"{e.tag} {(e.text or '').strip()[:40]}".strip() for e in unread)
        source.note(plugin, f"left out: {told}")


def _says_something(element: Element) -> bool:
    """Return whether a tag holds more than zeros, false or nothing."""
    words = (element.text or "").strip().lower().split()
    return bool(len(element)) or not all(w in _SAYS_NOTHING or _is_zero(w) for w in words)


def _is_zero(word: str) -> bool:
    try:
        return float(word) == 0.0
    except ValueError:
        return False
