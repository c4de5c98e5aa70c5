"""Gazebo's sensors, from SDF or from a URDF's extension tags, as sensor entries."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

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
from outrider.formats.gazebo.topics import sensor_topic
from outrider.formats.xml_source import Element, XmlSource
from outrider.specs.sensor import AT_LINK, SensorEntry
from outrider.specs.world import PoseSpec

MAX_RAYS = 100_000
_FULL_TURN_DEG = 360.0 - 1e-6  # a whole turn has its first direction twice there, ours does not


@dataclass(slots=True)
class SensorList:
    """Sensors found so far: no two have one name; what does not map is kept as text."""

    links: frozenset[str] = frozenset()
    joints: Mapping[str, str] = field(default_factory=dict)  # joint -> the link that it carries
    entries: list[SensorEntry] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    components: list[Data] = field(default_factory=list)  # of plugins that move things

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
        self.entries.append(
            SensorEntry(
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
        )

    def keep(self, element: Element) -> None:
        """Keep what has no counterpart here, as it was written."""
        self.raw.append(etree.tostring(element, encoding="unicode", with_tail=False))

    def _free(self, wanted: str) -> str:
        stem = re.sub(r"\W+", "_", wanted).strip("_") or "sensor"
        taken = {entry.name for entry in self.entries}
        name, number = stem, 2
        while name in taken:
            name, number = f"{stem}_{number}", number + 1
        return name


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
    settings = found.settings
    if kind == "force_torque" and element.findtext("force_torque/frame", "").strip() != "sensor":
        pose = Pose()  # it measures in the frame of the link
    if "hfov_deg" in settings:  # a camera's frame is that of its pictures
        settings, frame = settings | _optical(frame, link), ""
    topics = {**found.topics, **({found.output: topic} if found.output else {})}
    sensors.add(
        found.model,
        element.get("name") or kind,
        link,
        settings=settings,
        topics=topics,
        pose=pose,
        rate_hz=source.child_number(element, "update_rate", 0.0),
        frame_id=frame,
    )
    source.note(element, f"is read as '{found.model}' with the values of the file", "applied")


def _optical(frame: str, link: str) -> Data:
    """Return the frame of a camera's pictures, if the file says which."""
    told = frame or (link if re.search(r"optical(_frame|_link)?$", link) else "")
    return {"optical_frame": told} if told else {}


def _lidar(source: XmlSource, element: Element) -> FoundSensor | None:
    ray = next((e for tag in ("ray", "lidar") if (e := element.find(tag)) is not None), None)
    if ray is None:
        source.note(element, "has no <ray> and was left out")
        return None
    scan, reach = ray.find("scan"), ray.find("range")
    columns = _fan(source, None if scan is None else scan.find("horizontal"))
    rows = _fan(source, None if scan is None else scan.find("vertical"))
    low, high = 0.1, 30.0
    if reach is not None:
        low, high = source.child_number(reach, "min", low), source.child_number(reach, "max", high)
    if not 0 <= low < high or columns[0] * rows[0] > MAX_RAYS:
        source.note(element, f"a range of {low:g} to {high:g} m or its rays are out of bounds")
        return None
    if columns[0] == 1 and rows[0] == 1:
        return _single_ray(low, min(high, 1e4))
    settings = _lidar_settings(columns, rows)
    settings |= {
        "range_min": low,
        "range_max": min(high, 1e4),
        "noise": [[0.0, _noise(source, ray)]],
        "resolution": 0.0 if reach is None else _resolution(source, reach),
    }
    flat = rows[0] == 1
    model, output = ("hokuyo-utm30lx", "scan") if flat else ("velodyne-vlp16", "points")
    return FoundSensor(model, settings, output)


def _lidar_settings(columns: tuple[int, float, float], rows: tuple[int, float, float]) -> Data:
    """Return beams and nothing of what the library's unit would add to them."""
    samples, first, last = columns
    count, bottom, top = rows
    step = (top - bottom) / (count - 1) if count > 1 else 0.0
    fan = min(math.degrees(last - first), _FULL_TURN_DEG)
    start = max(math.degrees(first), -360.0)
    return {
        "samples": samples,
        "azimuth_from_deg": start,
        "azimuth_to_deg": start + (fan if fan > 0 else 1e-3),
        "elevations_deg": [math.degrees(bottom + i * step) for i in range(count)],
        "channel_offsets_us": [],
        "firing_period_us": 0.0,
        "direction": "ccw",
        "outputs": ["scan"] if count == 1 else ["points"],
        "bias_sigma": 0.0,
        "range_at_10_percent": 0.0,
        "divergence_mrad": 0.0,
        "housing_m": 0.0,
    }


def _single_ray(low: float, high: float) -> FoundSensor:
    """Return a ranger of one narrow beam: a wall or cliff sensor."""
    settings = {
        "cones": [{"half_angle_deg": 0.5, "length": high, "rays": 4}],
        "min_range": low,
        "max_range": high,
        "incidence_limit_deg": 90,
        "noise": 0.0,
        "noise_share": 0.0,
        "resolution": 0.0,
    }
    return FoundSensor("sonar", settings, "range")


def _fan(source: XmlSource, element: Element | None) -> tuple[int, float, float]:
    """Return how many rays, and the first and last angle."""
    if element is None:
        return 1, 0.0, 0.0
    samples = source.child_number(element, "samples", 1.0)
    first = source.child_number(element, "min_angle", 0.0)
    last = source.child_number(element, "max_angle", 0.0)
    if not (1 <= samples <= MAX_RAYS and first <= last and max(abs(first), abs(last)) <= 6.3):
        raise source.fail(
            element, f"{samples:g} samples from {first:g} to {last:g} rad is not a valid scan"
        )
    return int(samples), first, last


def _noise(source: XmlSource, element: Element) -> float:
    noise = element.find("noise")
    return 0.0 if noise is None else max(0.0, source.child_number(noise, "stddev", 0.0))


def _resolution(source: XmlSource, element: Element) -> float:
    return min(max(source.child_number(element, "resolution", 0.0), 0.0), 10.0)


def _imu(source: XmlSource, element: Element) -> FoundSensor:
    settings: Data = {}
    imu = element.find("imu")
    for tag, name in (("linear_acceleration", "accelerometer"), ("angular_velocity", "gyroscope")):
        axis = None if imu is None else imu.find(f"{tag}/x")
        if axis is not None and (noise := axis.find("noise")) is not None:
            settings[name] = {
                "noise_sigma": max(0.0, source.child_number(noise, "stddev", 0.0)),
                "turn_on_sigma": max(0.0, source.child_number(noise, "bias_stddev", 0.0)),
            }
    return FoundSensor("ideal-imu", settings, "data")


def _gnss(source: XmlSource, element: Element) -> FoundSensor:
    spread = []
    for axis in ("horizontal", "vertical"):
        found = [
            noise
            for kind in ("gps", "navsat")
            for noise in element.findall(f"{kind}/position_sensing/{axis}/noise")
        ]
        spread.append(max(0.0, source.child_number(found[0], "stddev", 0.0)) if found else 0.0)
    settings = {"single": {"white_m": spread}} if any(spread) else {}
    return FoundSensor("ideal-gnss", settings, "fix")


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
    **dict.fromkeys(("ray", "gpu_ray", "lidar", "gpu_lidar"), _lidar),
    "imu": _imu,
    **dict.fromkeys(("gps", "navsat"), _gnss),
    "magnetometer": lambda _source, _element: FoundSensor("ideal-compass", {}, "field"),
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
