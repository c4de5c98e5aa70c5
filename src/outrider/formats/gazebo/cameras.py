"""Gazebo's cameras as Outrider's: image, lens, noise, and the topics of their plugins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from outrider.core.structure import Data
from outrider.formats.gazebo.pose import read_pose
from outrider.formats.gazebo.topics import plugin_kind, plugin_text, relative
from outrider.formats.xml_source import Element, XmlSource

MOST_PIXELS = 8192
WIDEST_DEG = 170.0
_NEAREST = 1e-3  # m
_ENCODINGS = {"L8": "mono8", "L_INT8": "mono8", "B8G8R8": "bgr8", "BGR_INT8": "bgr8"}
_LENS = ("k1", "k2", "p1", "p2", "k3")
_PLUGIN_LENS = ("distortionK1", "distortionK2", "distortionT1", "distortionT2", "distortionK3")
_GZ_DEPTH = ("depth", "depth_camera")
_STEREO_OFF = 1e-3  # m beside the line between two lenses


class FoundSensor(NamedTuple):
    """A sensor of ours for one of theirs: model, settings, the output its topic is for, others'."""

    model: str
    settings: Data
    output: str = ""
    topics: Mapping[str, str] = MappingProxyType({})


def camera(source: XmlSource, element: Element) -> FoundSensor | None:
    """Return a colour camera."""
    settings = _picture(source, element, element.find("camera"))
    return (
        None if settings is None else FoundSensor("camera", settings, "", _topics(source, element))
    )


def depth_camera(source: XmlSource, element: Element) -> FoundSensor | None:
    """Return a camera for depth, with colour and points."""
    settings = _picture(source, element, element.find("camera"))
    if settings is None:
        return None
    plugin = _plugin(element)
    near, far = settings["near"], settings["far"]
    if plugin is not None:
        near = source.child_number(plugin, "pointCloudCutoff", near)
        far = source.child_number(plugin, "pointCloudCutoffMax", far)
    bounds = {"depth_min": near, "depth_max": far, "subpixel": 0.0, "encoding": "rgb8"}
    return FoundSensor("depth-camera", settings | bounds, "", _depth_topics(source, element))


def segmentation_camera(source: XmlSource, element: Element) -> FoundSensor | None:
    """Return a camera that knows what it sees."""
    settings = _picture(source, element, element.find("camera"))
    if settings is None:
        return None
    topic = source.child_text(element, "topic")
    return FoundSensor(
        "segmentation-camera", settings, "", {"labels": relative(topic)} if topic else {}
    )


def multicamera(source: XmlSource, element: Element) -> FoundSensor | None:
    """Return two lenses side by side as a stereo camera; others are not known here."""
    lenses = element.findall("camera")
    if len(lenses) != 2:
        source.note(
            element, f"a camera of {len(lenses)} lenses was left out: only two are supported"
        )
        return None
    left, right = sorted(lenses, key=lambda e: -read_pose(source, e)[0].position[1])
    x, y, z = (read_pose(source, left)[0].inverse() @ read_pose(source, right)[0]).position
    if y >= 0 or max(abs(x), abs(z)) > _STEREO_OFF:
        source.note(element, "its two lenses are not side by side; it was left out")
        return None
    settings = _picture(source, element, left)
    if settings is None:
        return None
    if any(read_pose(source, left)[0].position):
        source.note(left, "the left lens is taken to be where the sensor is", "guessed")
    return FoundSensor(
        "stereo-camera", settings | {"baseline": float(-y)}, "", _stereo_topics(source, element)
    )


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
    return {
        "width": int(width),
        "height": int(height),
        "hfov_deg": fov,
        "near": max(near, _NEAREST),
        "far": far,
        "encoding": _ENCODINGS.get(text.upper(), "rgb8"),
        "noise": min(max(_child(source, noise, "stddev", 0.0), 0.0), 1.0),
        "distortion": _distortion(source, element, lens),
    }


def _distortion(source: XmlSource, element: Element, lens: Element) -> list[float]:
    bent, plugin = lens.find("distortion"), _plugin(element)
    if bent is not None:
        return [source.child_number(bent, name, 0.0) for name in _LENS]
    if plugin is not None:
        return [source.child_number(plugin, name, 0.0) for name in _PLUGIN_LENS]
    return [0.0] * len(_LENS)


def _topics(source: XmlSource, element: Element) -> dict[str, str]:
    """Return the topics of picture and lens: of the plugin, or of the sensor itself."""
    plugin, own = _plugin(element), source.child_text(element, "topic")
    if plugin is None:
        beside = own.rpartition("/")[0]
        info = f"{beside}/camera_info" if beside else ""
        return _named({"image": own, "camera_info": info} if own else {})
    named = {
        "image": plugin_text(source, plugin, "imageTopicName"),
        "camera_info": plugin_text(source, plugin, "cameraInfoTopicName"),
    }
    return _named(_below(source, plugin, named))


def _depth_topics(source: XmlSource, element: Element) -> dict[str, str]:
    plugin, own = _plugin(element), source.child_text(element, "topic")
    if plugin is not None:
        tags = {
            "depth": "depthImageTopicName",
            "depth_info": "depthImageCameraInfoTopicName",
            "points": "pointCloudTopicName",
        }
        named = {output: plugin_text(source, plugin, tag) for output, tag in tags.items()}
        return _topics(source, element) | _named(_below(source, plugin, named))
    if not own:
        return {}
    if (element.get("type") or "").strip().lower() in _GZ_DEPTH:
        return _named({"depth": own, "points": f"{own}/points"})
    outputs = {"image": "image", "depth": "depth_image", "points": "points"}
    return _named({output: f"{own}/{name}" for output, name in outputs.items()})


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
    return _named(_below(source, plugin, found))


def _below(source: XmlSource, plugin: Element, topics: dict[str, str]) -> dict[str, str]:
    """Put topics below the camera's name, as the plugins do unless they begin with a slash."""
    name = plugin_text(source, plugin, "cameraName", "camera_name")
    return {
        output: topic if topic.startswith("/") or not name or not topic else f"{name}/{topic}"
        for output, topic in topics.items()
    }


def _named(topics: dict[str, str]) -> dict[str, str]:
    return {output: relative(topic) for output, topic in topics.items() if topic}


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
