"""The registry of sensors, and how a file's entry becomes one."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from outrider.core.errors import ConfigError, near_match
from outrider.core.files.yaml_file import read_yaml
from outrider.core.registry import Registry
from outrider.core.structure import from_data
from outrider.loader.library import find_file, overlay
from outrider.sensors.sensor import SensorClass
from outrider.specs.sensor import LOWEST_RATE_HZ, SensorEntry, SensorFile

SENSORS = Registry(
    "sensor",
    {
        "barometer": "outrider.sensors.air.barometer:Barometer",
        "bumper": "outrider.sensors.contact.bumper:Bumper",
        "camera": "outrider.sensors.camera.camera:Camera",
        "cliff": "outrider.sensors.contact.cliff:CliffSensor",
        "collision": "outrider.sensors.contact.collision:CollisionSensor",
        "compass": "outrider.sensors.compass:Compass",
        "depth-camera": "outrider.sensors.camera.camera:DepthCamera",
        "drive-power": "outrider.sensors.wheels.drive_power:DrivePower",
        "encoders": "outrider.sensors.wheels.encoders:WheelEncoders",
        "force-torque": "outrider.sensors.force.force_torque:ForceTorque",
        "gnss": "outrider.sensors.gnss.gnss:Gnss",
        "imu": "outrider.sensors.imu.imu:Imu",
        "infrared": "outrider.sensors.distance.infrared:Infrared",
        "lidar": "outrider.sensors.lidar.lidar:Lidar",
        "load-cell": "outrider.sensors.force.load_cell:LoadCell",
        "odometer": "outrider.sensors.wheels.odometer:Odometer",
        "pose-gps": "outrider.sensors.gnss.pose_gps:PoseGps",
        "radar": "outrider.sensors.distance.radar:Radar",
        "segmentation-camera": "outrider.sensors.camera.camera:SegmentationCamera",
        "stereo-camera": "outrider.sensors.camera.camera:StereoCamera",
        "thermometer": "outrider.sensors.air.thermometer:Thermometer",
        "ticks": "outrider.sensors.wheels.ticks:TickCounter",
        "ultrasonic": "outrider.sensors.distance.ultrasonic:Ultrasonic",
        "wheel_drop": "outrider.sensors.contact.wheel_drop:WheelDrop",
    },
)


@dataclass(frozen=True, slots=True, eq=False)
class SensorPlan:
    """An entry with its file read and its parameters checked."""

    entry: SensorEntry
    sensor_type: str  # as the registry has it
    kind: SensorClass
    parameters: Any
    rate_hz: float
    latency_s: float
    topics: dict[str, str]  # every output -> topic template


def plan_sensor(entry: SensorEntry, where: str) -> SensorPlan:
    """Look up an entry's model and check its parameters."""
    path = _model_file(entry, where)
    file = from_data(SensorFile, read_yaml(path), path.name)
    kind = cast(SensorClass, SENSORS.load(file.type))
    merged = overlay(file.parameters, entry.set)
    parameters: Any = from_data(kind.Parameters, merged, f"{where}: sensor '{entry.name}'")
    for output in (*entry.topics, *file.topics):
        if output not in kind.types:
            hint = near_match(output, kind.types)
            known = ", ".join(kind.types)
            raise ConfigError(
                f"{where}: sensor '{entry.name}' has no output '{output}'{hint}; it has {known}"
            )
    topics = {out: file.topics.get(out, f"{{SENSOR}}/{out}") for out in kind.types}
    topics |= _compressed(entry.topics, kind.types) | entry.topics
    topics = {out: text.replace("{SENSOR}", entry.name) for out, text in topics.items()}
    rate = file.rate_hz if entry.rate_hz is None else entry.rate_hz
    if not LOWEST_RATE_HZ <= rate <= 10000:
        raise ConfigError(
            f"{where}: sensor '{entry.name}': rate_hz must lie between {LOWEST_RATE_HZ:g} and "
            f"10000, got {rate}"
        )
    latency = file.latency_s if entry.latency_s is None else entry.latency_s
    return SensorPlan(entry, file.type, kind, parameters, rate, latency, topics)


def _compressed(given: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    """Return compressed images beside the images that were renamed, where programs look."""
    beside = {f"{output}_compressed": f"{topic}/compressed" for output, topic in given.items()}
    return {output: topic for output, topic in beside.items() if output in known}


def _model_file(entry: SensorEntry, where: str) -> Path:
    try:
        return find_file("sensors", entry.model)
    except ConfigError as error:
        raise ConfigError(f"{where}: sensor '{entry.name}': model: {error}") from None
