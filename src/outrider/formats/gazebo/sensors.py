"""Gazebo's sensors, from SDF or from a URDF's extension tags, as sensor entries."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from lxml import etree

from outrider.core.frames import Pose
from outrider.core.structure import Data
from outrider.formats.gazebo.cameras import (
    FoundSensor,
    camera,
    depth_camera,
    multicamera,
    segmentation_camera,
)
from outrider.formats.gazebo.force_and_air import air_pressure, altimeter, force_torque
from outrider.formats.gazebo.lidar import lidar
from outrider.formats.gazebo.noise import deviation, same_on_all_axes, triad
from outrider.formats.gazebo.sensor_plugin import note_unread_plugins, plugin_noise, sensor_rate
from outrider.formats.gazebo.topics import namespace, sensor_topic
from outrider.formats.xml_source import Element, XmlSource
from outrider.specs.sensor import AT_LINK, SensorEntry
from outrider.specs.world import PoseSpec
from outrider.world.model import Model

_SAME_PLACE = 1e-6  # m, and half a rotation in rad
_IMUS = ("ideal-imu", "imu-hector")
STEPS_HZ = 400.0  # of physics, usually
_MODELS_OWN = {  # outputs whose topics do not have a sensor's name in them
    "imu-hector": ("data",),
    **dict.fromkeys(("ideal-gnss", "hector-gps"), ("fix", "vel", "status")),
}
_LIDARS = ("ray", "gpu_ray", "lidar", "gpu_lidar")


@dataclass(slots=True)
class SensorList:
    """Sensors found so far: no two have one name; what does not map is kept as text."""

    links: frozenset[str] = frozenset()
    joints: Mapping[str, str] = field(default_factory=dict)  # joint -> the link that it carries
    entries: list[SensorEntry] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    components: list[Data] = field(default_factory=list)  # of plugins that move things
    topics: dict[str, str] = field(default_factory=dict)  # of the robot itself, by their keys
    namespaces: list[str] = field(default_factory=list)  # of the plugins of sensors
    model: Model | None = None  # what carries them

    def add(
        self,
        model: str,
        name: str,
        link: str,
        settings: Data,
        topics: dict[str, str],
        pose: Pose | None = None,
        rate_hz: float = 0.0,
        frame_id: str = "",
    ) -> None:
        """Append an entry under a name that topics can bear."""
        entry = SensorEntry(
            name=self._free(name),
            model=model,
            link=link,
            pose=pose_spec(pose or Pose()),
            # the name of a link would be a second frame of that name
            frame_id="" if frame_id in self.links else frame_id,
            rate_hz=rate_hz if 0 < rate_hz <= 10_000 else None,
            topics={out: topic for out, topic in topics.items() if topic},
            set=settings,
        )
        self.entries.append(self._apart(entry))

    def at_frame(self, frame_id: str, link: str, pose: Pose) -> tuple[str, Pose]:
        """Return link and pose of a sensor; a link of its frame's name that is there carries it."""
        if self.model is None or frame_id not in self.links or frame_id == link:
            return link, pose
        one_piece = _holder(self.model, frame_id) == _holder(self.model, link)
        poses = self.model.link_poses()
        off = poses[frame_id].inverse() @ poses[link] @ pose
        return (frame_id, Pose()) if one_piece and _is_nothing(off) else (link, pose)

    def take(self, entry: SensorEntry, prefix: str) -> None:
        """Append an entry of a model inside this one, whose links have a prefix here."""
        link, name = prefix + entry.link, self._free(entry.name)
        self.entries.append(self._apart(replace(entry, name=name, link=link)))

    def keep(self, element: Element) -> None:
        """Keep what has no counterpart here, as it was written."""
        self.raw.append(etree.tostring(element, encoding="unicode", with_tail=False))

    def _apart(self, entry: SensorEntry) -> SensorEntry:
        """Name the topics of a second sensor that would speak on those of its model."""
        if all(other.model != entry.model for other in self.entries):
            return entry
        outputs = entry.set.get("outputs", _MODELS_OWN.get(entry.model, ()))
        named = {out: f"{entry.name}/{out}" for out in outputs}
        return replace(entry, topics=named | entry.topics)

    def _free(self, wanted: str) -> str:
        stem = re.sub(r"\W+", "_", wanted).strip("_") or "sensor"
        taken = {entry.name for entry in self.entries}
        name, number = stem, 2
        while name in taken:
            name, number = f"{stem}_{number}", number + 1
        return name


def _holder(model: Model, link: str) -> str:
    """Return the link that holds another one by fixed joints alone."""
    held = {joint.child: joint.parent for joint in model.joints if joint.kind == "fixed"}
    while link in held:
        link = held[link]
    return link


def _is_nothing(pose: Pose) -> bool:
    return bool(max(np.abs(pose.position).max(), np.abs(pose.rotation[:3]).max()) < _SAME_PLACE)


def pose_spec(pose: Pose) -> PoseSpec:
    """Return a pose as people write it."""
    found = PoseSpec.of(pose)
    return AT_LINK if found == AT_LINK else found


def add_sensor(
    source: XmlSource, element: Element, link: str, pose: Pose, sensors: SensorList
) -> None:
    """Add a ``<sensor>``, mounted on a link at a pose, or note why it cannot be."""
    kind = (element.get("type") or "").strip().lower()
    reader = READERS.get(kind)
    if reader is None:
        sensors.keep(element)
        source.note(element, f"sensor of type '{kind}' was left out: not known here")
        return
    if kind == "force_torque" and link not in sensors.joints.values():
        sensors.keep(element)
        source.note(element, "is in no joint of a robot and was left out")
        return
    found = reader(source, element)
    if found is None:
        sensors.keep(element)
        return
    topic, frame = sensor_topic(source, element)
    sensors.namespaces += [namespace(plugin) for plugin in element.findall("plugin")]
    settings = found.settings
    if kind == "force_torque" and element.findtext("force_torque/frame", "").strip() != "sensor":
        pose = Pose()  # it measures in the frame of the link
    if "hfov_deg" in settings:  # a camera's frame is that of its pictures
        settings, frame = _optical(frame, link) | settings, ""
    if kind == "contact" and link:  # it feels its own link, not the whole robot
        settings = settings | {"parts": [link]}
    topics = {**found.topics, **({found.output: topic} if found.output else {})}
    pose = pose if found.pose is None else pose @ found.pose
    if kind != "force_torque":  # which belongs to its joint
        link, pose = sensors.at_frame(frame, link, pose)
    sensors.add(
        found.model,
        element.get("name") or kind,
        link,
        settings=settings,
        topics=topics,
        pose=pose,
        rate_hz=possible_rate(source, element, found.model, sensor_rate(source, element)),
        frame_id=frame,
    )
    source.note(element, f"is read as '{found.model}' with the values of the file", "applied")
    note_unread_plugins(source, element, noise_is_read=kind in (*_LIDARS, "imu"))


def possible_rate(source: XmlSource, element: Element, model: str, rate: float) -> float:
    """Return a sensor's rate; an IMU measures at most once in each of a run's usual steps."""
    if model not in _IMUS or rate <= STEPS_HZ:
        return rate
    source.note(
        element,
        f"{rate:g} Hz were lowered to {STEPS_HZ:g}, the usual steps of physics; "
        "more needs a shorter step and a higher rate_hz",
        "guessed",
    )
    return STEPS_HZ


def _optical(frame: str, link: str) -> Data:
    """Return the frame of a camera's pictures, if the file says which."""
    told = frame or (link if re.search(r"optical(_frame|_link)?$", link) else "")
    return {"optical_frame": told} if told else {}


def _imu(source: XmlSource, element: Element) -> FoundSensor:
    added = plugin_noise(source, element)
    settings: Data = {}
    for tag, older, name in (
        ("linear_acceleration", "accel", "accelerometer"),
        ("angular_velocity", "rate", "gyroscope"),
    ):
        found = triad(source, element.find(f"imu/{tag}"))
        found = found or same_on_all_axes(source, element.find(f"imu/noise/{older}"))
        if found or added:
            sigma = math.hypot(found.get("noise_sigma", 0.0), added)
            settings[name] = found | {"noise_sigma": sigma}
    return FoundSensor("ideal-imu", settings, "data")


def _magnetometer(source: XmlSource, element: Element) -> FoundSensor:
    errors = triad(source, element.find("magnetometer"))
    return FoundSensor("ideal-compass", {"magnetometer": errors} if errors else {}, "field")


def _gnss(source: XmlSource, element: Element) -> FoundSensor:
    def spread(quantity: str) -> list[float]:
        paths = [f"{tag}/{quantity}" for tag in ("gps", "navsat")]
        owner = next((e for path in paths if (e := element.find(path)) is not None), None)
        axes = ("horizontal", "vertical")
        found = [None if owner is None else owner.find(f"{axis}/noise") for axis in axes]
        return [deviation(source, noise) for noise in found]

    place, speed = spread("position_sensing"), spread("velocity_sensing")
    settings: Data = {"single": {"white_m": place}} if any(place) else {}
    return FoundSensor(
        "ideal-gnss", settings | ({"velocity_sigma": speed} if any(speed) else {}), "fix"
    )


def _sonar(source: XmlSource, element: Element) -> FoundSensor:
    sonar = element.find("sonar")
    low, high, radius = 0.02, 3.0, 0.5
    if sonar is not None:
        low = source.child_number(sonar, "min", low)
        high = source.child_number(sonar, "max", high)
        radius = source.child_number(sonar, "radius", radius)
    if not 0 <= low < high <= 1e4 or radius <= 0:
        raise source.fail(element, f"a sonar from {low:g} to {high:g} m cannot be")
    angle = math.degrees(math.atan2(radius, high))
    cones = [{"half_angle_deg": angle, "length": high, "rays": 300}]
    settings = {"cones": cones, "min_range": low, "max_range": high}
    return FoundSensor("sonar", settings, "range")


READERS: dict[str, Callable[[XmlSource, Element], FoundSensor | None]] = {
    **dict.fromkeys(_LIDARS, lidar),
    "imu": _imu,
    **dict.fromkeys(("gps", "navsat"), _gnss),
    "magnetometer": _magnetometer,
    "contact": lambda _source, _element: FoundSensor("collision", {}, "collisions"),
    "sonar": _sonar,
    "force_torque": force_torque,
    "air_pressure": air_pressure,
    "altimeter": altimeter,
    "camera": camera,
    **dict.fromkeys(("depth", "depth_camera", "rgbd", "rgbd_camera"), depth_camera),
    **dict.fromkeys(("segmentation", "segmentation_camera"), segmentation_camera),
    "multicamera": multicamera,
}
