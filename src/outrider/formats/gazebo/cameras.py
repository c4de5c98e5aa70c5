"""Gazebo's cameras as Outrider's: image, lens, noise, and the topics of their plugins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from outrider.core.frames import Pose
from outrider.core.structure import Data
from outrider.formats.gazebo.noise import deviation
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.gazebo.topics import named, plugin_kind, plugin_text, relative, remappings
from outrider.formats.xml_source import Element, XmlSource

MOST_PIXELS = 8192
WIDEST_DEG = 170.0
_NEAREST = 1e-3  # m
_ENCODINGS = {"L8": "mono8", "L_INT8": "mono8", "B8G8R8": "bgr8", "BGR_INT8": "bgr8"}
_LENS = ("k1", "k2", "p1", "p2", "k3")
_PLUGIN_LENS = ("distortionK1", "distortionK2", "distortionT1", "distortionT2", "distortionK3")
_GZ_DEPTH = ("depth", "depth_camera")
_STEREO_OFF = 1e-3  # m beside the line between two lenses
# output of ours: the plugins' tag for its topic, and what they call it if they know only the camera
_PICTURE_TAGS = {
    "image": ("imageTopicName", "image_raw"),
    "camera_info": ("cameraInfoTopicName", "camera_info"),
}
_DEPTH_TAGS = {
    **_PICTURE_TAGS,
    "depth": ("depthImageTopicName", "depth/image_raw"),
    "depth_info": ("depthImageCameraInfoTopicName", "depth/camera_info"),
    "points": ("pointCloudTopicName", "points"),
}


class FoundSensor(NamedTuple):
    """A sensor of ours for one of theirs: model, settings, the output its topic is for, others'.

    ``pose`` is that of a lens in its sensor.
    """

    model: str
    settings: Data
    output: str = ""
    topics: Mapping[str, str] = MappingProxyType({})
    pose: Pose | None = None


def camera(source: XmlSource, element: Element) -> FoundSensor | None:
    """Return a colour camera."""
    topics = _topics(source, element, _PICTURE_TAGS)
    return _seeing(source, element, "camera", topics)


def _seeing(
    source: XmlSource, element: Element, model: str, topics: dict[str, str]
) -> FoundSensor | None:
    """Return a camera of one lens, which may be off its sensor's origin."""
    lens = element.find("camera")
    settings = _picture(source, element, lens)
    if settings is None or lens is None:
        return None
    return FoundSensor(model, settings, "", topics, read_pose(source, lens)[0])


def depth_camera(source: XmlSource, element: Element) -> FoundSensor | None:
    """Return a camera for depth, with colour and points."""
    found = _seeing(source, element, "depth-camera", _depth_topics(source, element))
    if found is None:
        return None
    near, far = found.settings["near"], found.settings["far"]
    if (plugin := _plugin(element)) is not None:
        for low, high in (("pointCloudCutoff", "pointCloudCutoffMax"), ("min_depth", "max_depth")):
            near = source.child_number(plugin, low, near)
            far = source.child_number(plugin, high, far)
    bounds = {"depth_min": near, "depth_max": far, "subpixel": 0.0, "encoding": "rgb8"}
    return found._replace(settings=found.settings | bounds)


def segmentation_camera(source: XmlSource, element: Element) -> FoundSensor | None:
    """Return a camera that knows what it sees."""
    topic = source.child_text(element, "topic")
    topics = {"labels": relative(topic)} if topic else {}
    return _seeing(source, element, "segmentation-camera", topics)


def multicamera(source: XmlSource, element: Element) -> FoundSensor | None:
    """Return two lenses side by side as a stereo camera; others are not known here."""
    lenses = element.findall("camera")
    if len(lenses) != 2:
        source.note(
            element, f"a camera of {len(lenses)} lenses was left out: only two are supported"
        )
        return None
    left, right = sorted(lenses, key=lambda e: -read_pose(source, e)[0].position[1])
    T_left = read_pose(source, left)[0]
    x, y, z = (T_left.inverse() @ read_pose(source, right)[0]).position
    if y >= 0 or max(abs(x), abs(z)) > _STEREO_OFF:
        source.note(element, "its two lenses are not side by side; it was left out")
        return None
    settings = _picture(source, element, left)
    if settings is None:
        return None
    settings |= {"baseline": float(-y)}
    return FoundSensor("stereo-camera", settings, "", _stereo_topics(source, element), T_left)


def _picture(source: XmlSource, element: Element, lens: Element | None) -> Data | None:
    """Return size, field of view, distortion, noise and limits, or None if there can be none."""
    if lens is None:
        source.note(element, "has no <camera> and was left out")
        return None
    image, clip, noise = lens.find("image"), lens.find("clip"), lens.find("noise")
    width, height = (_child(source, image, tag, d) for tag, d in (("width", 320), ("height", 240)))
    fov = math.degrees(source.child_number(lens, "horizontal_fov", 1.047))
    near, far = _child(source, clip, "near", 0.1), _child(source, clip, "far", 100.0)
    if not (1 <= width <= MOST_PIXELS and 1 <= height <= MOST_PIXELS and 0 < fov <= WIDEST_DEG):
        source.note(element, f"{width:g} x {height:g} pixels over {fov:.4g} degrees were left out")
        return None
    if not 0 <= near < far:
        raise source.fail(element, f"a camera that sees from {near:g} to {far:g} m cannot be")
    text = "" if image is None else source.child_text(image, "format")
    optical = source.child_text(lens, "optical_frame_id")
    return {
        "width": int(width),
        "height": int(height),
        "hfov_deg": fov,
        "near": max(near, _NEAREST),
        "far": far,
        "encoding": _ENCODINGS.get(text.upper(), "rgb8"),
        "noise": min(deviation(source, noise), 1.0),
        "distortion": _distortion(source, element, lens),
        **({"optical_frame": relative(optical)} if optical else {}),
    }


def _distortion(source: XmlSource, element: Element, lens: Element) -> list[float]:
    bent, plugin = lens.find("distortion"), _plugin(element)
    if bent is not None:
        return [source.child_number(bent, name, 0.0) for name in _LENS]
    if plugin is not None:
        return [source.child_number(plugin, name, 0.0) for name in _PLUGIN_LENS]
    return [0.0] * len(_LENS)


def _topics(
    source: XmlSource, element: Element, tags: Mapping[str, tuple[str, str]]
) -> dict[str, str]:
    """Return the topics of picture and lens: of the plugin, or of the sensor itself."""
    plugin, own = _plugin(element), source.child_text(element, "topic")
    if plugin is None:
        return _named({"image": own, "camera_info": _info_topic(source, element)} if own else {})
    name = plugin_text(source, plugin, "cameraName", "camera_name")
    told = {
        output: plugin_text(source, plugin, tag) or (usual if name else "")
        for output, (tag, usual) in tags.items()
    }
    told = _below(source, plugin, told)
    names = remappings(plugin)
    for output, (_, usual) in tags.items():
        sensor = f"{name or element.get('name') or ''}/{usual}"
        found = (names[key] for key in (relative(told[output]), sensor, usual) if key in names)
        told[output] = next(found, told[output])
    return _named(told, plugin)


def _info_topic(source: XmlSource, element: Element) -> str:
    """Return where Gazebo's own cameras tell of their lens: beside the picture unless they say."""
    lens = element.find("camera")
    told = "" if lens is None else source.child_text(lens, "camera_info_topic")
    beside = source.child_text(element, "topic").rpartition("/")[0]
    return told or (f"{beside}/camera_info" if beside else "")


def _depth_topics(source: XmlSource, element: Element) -> dict[str, str]:
    own = source.child_text(element, "topic")
    if _plugin(element) is not None:
        return _topics(source, element, _DEPTH_TAGS)
    if not own:
        return {}
    if (element.get("type") or "").strip().lower() in _GZ_DEPTH:
        info = _info_topic(source, element)
        return _named({"depth": own, "points": f"{own}/points", "depth_info": info})
    outputs = {"image": "image", "depth": "depth_image", "points": "points"}
    told = {output: f"{own}/{name}" for output, name in outputs.items()}
    lens = element.find("camera")
    info = "" if lens is None else source.child_text(lens, "camera_info_topic")
    return _named({**told, "camera_info": info or f"{own}/camera_info"})


def _stereo_topics(source: XmlSource, element: Element) -> dict[str, str]:
    plugin = _plugin(element)
    if plugin is None:
        return {}
    named = {"image": "imageTopicName", "camera_info": "cameraInfoTopicName"}
    found = {}
    for side in ("left", "right"):
        for output, tag in named.items():
            name = plugin_text(source, plugin, tag)
            found[f"{side}/{output}"] = f"{side}/{name}" if name else ""
    return _named(_below(source, plugin, found), plugin)


def _below(source: XmlSource, plugin: Element, topics: dict[str, str]) -> dict[str, str]:
    """Put topics below the camera's name, as the plugins do unless they begin with a slash."""
    name = plugin_text(source, plugin, "cameraName", "camera_name")
    return {
        output: topic if topic.startswith("/") or not name or not topic else f"{name}/{topic}"
        for output, topic in topics.items()
    }


def _named(topics: dict[str, str], plugin: Element | None = None) -> dict[str, str]:
    told = {output: topic for output, topic in topics.items() if topic}
    if plugin is None:
        return {output: relative(topic) for output, topic in told.items()}
    return {output: named(plugin, topic) for output, topic in told.items()}


def _plugin(element: Element) -> Element | None:
    return next(
        (
            p
            for p in element.findall("plugin")
            if "camera" in (k := plugin_kind(p)) or "kinect" in k
        ),
        None,
    )


def _child(source: XmlSource, element: Element | None, tag: str, default: float) -> float:
    return default if element is None else source.child_number(element, tag, default)
