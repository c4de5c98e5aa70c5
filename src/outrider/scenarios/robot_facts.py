"""What a programmer needs to know of a robot: sensors, where they look, topics, limits."""

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from outrider.bus.channel import TopicInfo
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.core.structure import Data
from outrider.scenarios.api import load_world, robot
from outrider.scenarios.services.model_state import motion_of
from outrider.sensors.camera.camera import Camera
from outrider.sensors.camera.parameters import CameraParameters
from outrider.sensors.contact.cliff import CliffParameters
from outrider.sensors.distance.infrared import InfraredParameters
from outrider.sensors.distance.radar import RadarParameters
from outrider.sensors.distance.ultrasonic import UltrasonicParameters
from outrider.sensors.lidar.parameters import LidarParameters
from outrider.sensors.sensor import Sensor
from outrider.sim.mounting import Mounted
from outrider.sim.simulation import Simulation
from outrider.vehicles.ackermann import AckermannSpec
from outrider.vehicles.vehicle import Vehicle

_LOOKING = {"camera", "cliff", "infrared", "lidar", "radar", "ultrasonic"}  # they have a front
_SIDES = ("forward", "to the left", "backward", "to the right")
_WHOLE_TURN = 359.0  # deg
_STEEP = math.sin(math.radians(60.0))  # above it a direction is up or down


def robot_facts(model: str | Path) -> Data:
    """Return limits, sensors and topics of a robot of the library or of a file."""
    simulation = Simulation(load_world("empty"), [robot(model)], engine="kinematic")
    vehicle = simulation.rig.vehicles[0]
    return {
        "limits": _limits(vehicle),
        "sensors": {
            mounted.plan.entry.name: _sensor(mounted, sampled.sensor, vehicle, simulation)
            for mounted, sampled in zip(simulation.mounted, simulation.sensors, strict=True)
        },
        "topics": _topics(simulation),
    }


def _limits(vehicle: Vehicle) -> Data:
    spec = vehicle.robot.spec
    limits = spec.limits
    told = {
        "speed_m_s": limits.speed,
        "acceleration_m_s2": limits.acceleration,
        "yaw_rate_rad_s": limits.yaw_rate,
        "yaw_acceleration_rad_s2": limits.yaw_acceleration,
    }
    found: Data = {name: value for name, value in told.items() if value}
    found.setdefault("speed_m_s", "as far as its motors go: its file sets no limit")
    if isinstance(spec.drivetrain, AckermannSpec):
        found["steering_rad"] = round(spec.drivetrain.max_steering_rad, 4)
        found["wheelbase_m"] = spec.drivetrain.wheelbase
    # zero: the robot keeps its last command
    found["command_holds_s"] = spec.command_timeout_s or "until the next one"
    return found


def _sensor(mounted: Mounted, sensor: Sensor, vehicle: Vehicle, simulation: Simulation) -> Data:
    plan, site = mounted.plan, mounted.site
    root = simulation.rig.assembly.bodies[vehicle.root].name
    T_robot_world = simulation.robots[vehicle.name].pose.inverse()
    pose = T_robot_world @ site.pose
    x, y, z = (round(float(value), 3) + 0.0 for value in pose.position)
    facts: Data = {"model": plan.entry.model, "at_m": f"x {x:g}, y {y:g}, z {z:g}"}
    facts["in"] = root.removeprefix(f"{vehicle.name}/")
    if plan.sensor_type.removesuffix("-camera") in _LOOKING | {"stereo", "depth", "segmentation"}:
        facts["looks"] = _view(_direction(pose), plan.parameters)
    if isinstance(plan.parameters, CliffParameters) and plan.parameters.links:
        links = plan.parameters.links.values()
        facts["looks"] = _beams(links, simulation, vehicle.name, T_robot_world)
    facts["frame"] = sensor.frame_id if isinstance(sensor, Camera) else site.frame_id
    facts["rate_hz"] = plan.rate_hz
    return facts


def _beams(
    links: Iterable[str], simulation: Simulation, robot_name: str, T_robot_world: Pose
) -> str:
    """Return where the x axes of links point."""
    named: dict[str, list[str]] = {}
    for link in links:
        T_world_link = motion_of(simulation, f"{robot_name}/{link}").pose
        named.setdefault(_direction(T_robot_world @ T_world_link), []).append(link)
    return "; ".join(f"{where} from {', '.join(names)}" for where, names in named.items())


def _direction(pose: Pose) -> str:
    """Return where the x axis points, in words, with what differs from them."""
    forward = matrix_from_quaternion(pose.rotation)[:, 0]
    if abs(forward[2]) > _STEEP:
        return "up" if forward[2] > 0 else "down"
    yaw = math.degrees(math.atan2(forward[1], forward[0]))
    number = round(yaw / 90.0)
    aside = yaw - 90.0 * number
    tilt = math.degrees(math.asin(float(np.clip(forward[2], -1.0, 1.0))))
    words = [_SIDES[number % 4]]
    if abs(aside) > 0.5:
        words.append(f"{abs(aside):.0f} deg {'left' if aside > 0 else 'right'} of it")
    if abs(tilt) > 0.5:
        words.append(f"{abs(tilt):.0f} deg {'up' if tilt > 0 else 'down'}")
    return ", ".join(words)


def _view(direction: str, parameters: object) -> str:
    if isinstance(parameters, LidarParameters):
        low, high = parameters.azimuth_from_deg, parameters.azimuth_to_deg
        reach = f"{parameters.range_min:g} to {parameters.range_max:g} m"
        if high - low >= _WHOLE_TURN:
            return f"all around, {reach}; angle 0 is {direction}"
        return f"{direction}, from {low:g} to {high:g} deg, {reach}"
    if isinstance(parameters, CameraParameters):
        size = f"{parameters.width} x {parameters.height} pixels"
        return f"{direction}, {parameters.hfov_deg:.4g} deg wide, {size}"
    if isinstance(parameters, UltrasonicParameters | InfraredParameters | RadarParameters):
        return f"{direction}, {parameters.min_range:g} to {parameters.max_range:g} m"
    return direction


def _topics(simulation: Simulation) -> Data:
    named = {topic.name: topic for topic in simulation.bus.topics()}
    return {name: _said(named[name]) for name in sorted(simulation.topics())}


def _said(topic: TopicInfo) -> str:
    """Return type, rate and direction of a topic."""
    kind = topic.type.replace("/msg/", "/")
    if topic.direction == "in":
        return f"{kind}, command"
    return f"{kind}, {topic.rate_hz:g} Hz" if topic.rate_hz else kind
