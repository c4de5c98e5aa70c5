"""Gazebo's plugins as Outrider's sensors and drivetrains."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from outrider.core.errors import FormatError
from outrider.core.structure import Data
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.gazebo.components import read_components
from outrider.formats.gazebo.sensor_plugin import READ_TAGS, note_unread
from outrider.formats.gazebo.sensors import SensorList, possible_rate
from outrider.formats.gazebo.topics import (
    named,
    namespace,
    plugin_kind,
    plugin_text,
    remapped,
    shared_namespace,
    without,
)
from outrider.formats.xml_source import Element, XmlSource

# what every robot has here without being asked
_OWN = {
    "gazebo_ros_control": "the drivetrain of the robot's file",
    "gz_ros2_control": "the drivetrain of the robot's file",
    "ign_ros2_control": "the drivetrain of the robot's file",
    "gazebo_ros2_control": "the drivetrain of the robot's file",
    "gazebo_ros_joint_state_publisher": "the topic of joint states",
    "joint_state_publisher": "the topic of joint states",
    "gazebo_ros_p3d": "the topics of the true pose",
    "odometry_publisher": "the topics of the true pose",
    "pose_publisher": "the topics of the true pose",
    "ray": "the LiDAR itself",
    "imu": "the IMU itself",
    "sensors": "the sensors themselves",
    "physics": "the engine",
    "user_commands": "the services",
    "scene_broadcaster": "the viewer",
    "contact": "the collision sensor",
    "navsat": "the receiver itself",
}
# whose topic of ours takes the name that the plugin gives it: key, usual name, tags
_OWN_TOPICS = {
    "gazebo_ros_p3d": ("ground_truth", "odom", "topicName", "topic_name"),
    "gazebo_ros_joint_state_publisher": ("joint_states", "joint_states", "topicName"),
    "joint_state_publisher": ("joint_states", "joint_states", "topic"),
}
_USUAL_HZ = 50.0  # of these topics
_TF_TAGS = ("publishTf", "publishOdomTF", "publish_odom_tf", "broadcastTF")
_SIDES = ("left", "right")
_DRIVE_TAGS = frozenset(  # read below, or without meaning here
    (
        *_TF_TAGS,
        *(f"{side}Joint" for side in _SIDES),
        *(f"{side}{end}Joint" for side in _SIDES for end in ("Front", "Rear")),
        *(f"{side}_{end}joint" for side in _SIDES for end in ("", "front_", "rear_", "steering_")),
        *(f"rear_{side}_joint" for side in _SIDES),
        *("wheelDiameter", "wheel_diameter", "wheel_radius", "wheel_base"),
        *("wheelSeparation", "wheel_separation", "kingpin_width"),
        *("steering_limit", "max_steer", "wheelTorque", "torque", "max_wheel_torque"),
        *("max_linear_velocity", "max_velocity", "max_speed", "max_angular_velocity"),
        *("max_linear_acceleration", "max_acceleration", "max_angular_acceleration"),
        *("wheelAcceleration", "max_wheel_acceleration"),
        *("commandTopic", "command_topic", "topic"),
        *("odometryTopic", "odometry_topic", "odom_topic", "odometryFrame", "odometry_frame"),
        *("robotBaseFrame", "robot_base_frame", "frame_id", "child_frame_id"),
        *("alwaysOn", "updateRate", "update_rate", "robotNamespace", "ros", "rosDebugLevel"),
        *("legacyMode", "num_wheel_pairs", "publishWheelJointState"),
        *("publishWheelTF", "publish_wheel_tf", "odom_publish_frequency"),
    )
)
_AS_HERE = {  # what odometry is here in any case: the wheels', and always published
    "publish_odom": ("true", "1"),
    **dict.fromkeys(("odometrySource", "odometry_source"), ("encoder", "0")),
}

_REFERENCE_TAGS = tuple(
    f"reference{name}" for name in ("Latitude", "Longitude", "Heading", "Altitude")
)
_SENSOR_TAGS = frozenset(  # read below, told there, or never read by the plugins themselves
    (
        *READ_TAGS,
        *_REFERENCE_TAGS,
        *("gaussianNoise", "accelGaussianNoise", "rateGaussianNoise", "velocityGaussianNoise"),
        *("accelDrift", "rateDrift", "yawDrift", "drift", "velocityTopicName", "jointName"),
        *("joint_name", "headingDrift", "headingGaussianNoise"),
    )
)


@dataclass(slots=True)
class DriveFigures:
    """What a drive plugin or controller file says; zero or empty where it says nothing."""

    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    steer_left: str = ""
    steer_right: str = ""
    separation: float = 0.0
    track_multiplier: float = 0.0
    radius: float = 0.0
    torque: float = 0.0
    wheelbase: float = 0.0
    steering_limit: float = 0.0
    speed: float = 0.0
    acceleration: float = 0.0
    wheel_acceleration: float = 0.0  # at the circumference, m/s^2
    yaw_rate: float = 0.0
    yaw_acceleration: float = 0.0
    command_timeout: float = 0.0
    command_topic: str = ""
    odometry_topic: str = ""
    base_frame: str = ""
    odometry_frame: str = ""
    odometry_hz: float = 0.0
    publish_tf: bool = True
    namespace: str = ""  # of the plugin's topics; those above begin with it


def controller_files(
    source: XmlSource, plugins: Iterable[Element], assets: AssetPaths
) -> list[Path]:
    """Return the parameter files that plugins of ros2_control name; those not there are noted."""
    found = []
    for plugin in plugins:
        if not plugin_kind(plugin).endswith("ros2_control"):
            continue
        for element in plugin.findall("parameters"):
            try:
                found.append(assets.find((element.text or "").strip()))
            except FormatError as error:
                source.note(element, f"the controllers were left out: {error}", "missing")
    return found


def read_plugin(source: XmlSource, plugin: Element, sensors: SensorList) -> DriveFigures | None:
    """Add a plugin's sensor, or return its drive, or keep it and say so."""
    kind = plugin_kind(plugin)
    if kind in _OWN:
        source.note(plugin, f"plugin {kind}: {_OWN[kind]} stands in for it", "applied", kind)
        if kind in _OWN_TOPICS:
            key, usual, *tags = _OWN_TOPICS[kind]
            if name := _called(source, plugin, usual, *tags):
                sensors.topics[key] = name
            _note_rate(source, plugin, key)
            note_unread(source, plugin)
        return None
    if kind in _DRIVES:
        source.note(plugin, f"plugin {kind} became the robot's drivetrain", "applied", kind)
        _note_unread(source, plugin, _DRIVE_TAGS)
        return _DRIVES[kind](source, plugin)
    if kind in _SENSORS:
        _SENSORS[kind](source, plugin, sensors)
        note_unread(source, plugin, _SENSOR_TAGS)
        return None
    components = read_components(source, plugin)
    if components is not None:
        sensors.components += components
        return None
    sensors.keep(plugin)
    source.note(
        plugin,
        f"plugin {kind or '(without a name)'} is not known and was left out",
        key=f"plugin {kind}",
    )
    return None


def _number(source: XmlSource, plugin: Element, *tags: str) -> float:
    for tag in tags:
        if (child := plugin.find(tag)) is not None and (child.text or "").strip():
            return max(0.0, source.parse(child, tag, child.text or "", 1)[0])
    return 0.0


def _texts(plugin: Element, *tags: str) -> tuple[str, ...]:
    found = [(e.text or "").strip() for tag in tags for e in plugin.findall(tag)]
    return tuple(text for text in found if text)


def _differential(source: XmlSource, plugin: Element) -> DriveFigures:
    diameter = _number(source, plugin, "wheelDiameter", "wheel_diameter")
    drive = _common(source, plugin)
    drive.left, drive.right = (_texts(plugin, *_joint_tags(side)) for side in _SIDES)
    drive.radius = diameter / 2 or _number(source, plugin, "wheel_radius")
    return drive


def _joint_tags(side: str) -> tuple[str, ...]:
    alone = (f"{side}Joint", f"{side}_joint", f"{side}FrontJoint", f"{side}RearJoint")
    return (*alone, f"{side}_front_joint", f"{side}_rear_joint")


def _ackermann(source: XmlSource, plugin: Element) -> DriveFigures:
    drive = _common(source, plugin)
    drive.left = _texts(plugin, "left_joint", "rear_left_joint")
    drive.right = _texts(plugin, "right_joint", "rear_right_joint")
    drive.steer_left = next(iter(_texts(plugin, "left_steering_joint")), "")
    drive.steer_right = next(iter(_texts(plugin, "right_steering_joint")), "")
    drive.radius = _number(source, plugin, "wheel_radius")
    drive.wheelbase = _number(source, plugin, "wheel_base")
    drive.steering_limit = _number(source, plugin, "steering_limit", "max_steer")
    return drive


def _common(source: XmlSource, plugin: Element) -> DriveFigures:
    def number(*tags: str) -> float:
        return _number(source, plugin, *tags)

    return DriveFigures(
        separation=number("wheelSeparation", "wheel_separation", "kingpin_width"),
        torque=number("wheelTorque", "torque", "max_wheel_torque"),
        speed=number("max_linear_velocity", "max_velocity", "max_speed"),
        acceleration=number("max_linear_acceleration", "max_acceleration"),
        wheel_acceleration=number("wheelAcceleration", "max_wheel_acceleration"),
        yaw_rate=number("max_angular_velocity"),
        yaw_acceleration=number("max_angular_acceleration"),
        command_topic=_called(source, plugin, "cmd_vel", "commandTopic", "command_topic", "topic"),
        odometry_topic=_called(
            source, plugin, "odom", "odometryTopic", "odometry_topic", "odom_topic"
        ),
        base_frame=plugin_text(
            source, plugin, "robotBaseFrame", "robot_base_frame", "child_frame_id"
        ),
        odometry_frame=plugin_text(source, plugin, "odometryFrame", "odometry_frame", "frame_id"),
        odometry_hz=number("odom_publish_frequency", "updateRate", "update_rate"),
        publish_tf=_publishes_tf(source, plugin),
        namespace=namespace(plugin),
    )


def _called(source: XmlSource, plugin: Element, usual: str, *tags: str) -> str:
    """Return a plugin's name for a topic, as its tags and its remappings say; empty if usual."""
    told = plugin_text(source, plugin, *tags)
    name = named(plugin, remapped(plugin, told or usual))
    return name if told or name != usual else ""


def _publishes_tf(source: XmlSource, plugin: Element) -> bool:
    return all(source.child_flag(plugin, tag, True) for tag in _TF_TAGS)


def in_one_namespace(
    drive: DriveFigures | None, sensors: SensorList
) -> tuple[DriveFigures | None, dict[str, str]]:
    """Take the namespace that all plugins share off the topics; return the drive and the robot's.

    Robots of ours have a namespace of their own, which stands for it.
    """
    shared = shared_namespace([*sensors.namespaces, *([drive.namespace] if drive else [])])
    sensors.entries[:] = [
        replace(entry, topics={out: without(shared, name) for out, name in entry.topics.items()})
        for entry in sensors.entries
    ]
    own = {key: without(shared, name) for key, name in sensors.topics.items()}
    if drive is None:
        return None, own
    command, odometry = (without(shared, t) for t in (drive.command_topic, drive.odometry_topic))
    return replace(drive, command_topic=command, odometry_topic=odometry), own


def _note_unread(source: XmlSource, plugin: Element, known: frozenset[str]) -> None:
    """Say which of a plugin's figures have no counterpart here."""
    unread = [
        f"{e.tag} {(e.text or '').strip()}".strip()
        for e in plugin
        if e.tag not in known and (e.text or "").strip().lower() not in _AS_HERE.get(str(e.tag), ())
    ]
    if unread:
        source.note(plugin, f"left out: {', '.join(unread)}")


def _note_rate(source: XmlSource, plugin: Element, key: str) -> None:
    """Say how a rate is given to a topic that every robot has here."""
    rate = _number(source, plugin, "updateRate", "update_rate")
    if rate not in (0.0, _USUAL_HZ):
        advice = f"'rates: {{{key}: {rate:g}}}' in the robot's file gives it to that topic"
        source.note(plugin, f"left out: its rate of {rate:g} Hz; {advice}")


def _hector_imu(source: XmlSource, plugin: Element, sensors: SensorList) -> None:
    settings: Data = {}
    for word, name in (("accel", "accelerometer"), ("rate", "gyroscope")):
        settings[name] = {
            "noise_sigma": _first(source, plugin, f"{word}GaussianNoise"),
            "drift_sigma": _first(source, plugin, f"{word}Drift"),
            "drift": "hector",
        }
    # the plugin reads 'yaw'; what files call 'heading' it never sees
    yaw = {"drift_sigma": _first(source, plugin, "yawDrift"), "drift": "hector"}
    settings["attitude"] = {"mode": "ahrs", "yaw": yaw}
    _mount(source, plugin, sensors, "imu-hector", "imu", settings, {"data": _topic(source, plugin)})


def _plain_imu(source: XmlSource, plugin: Element, sensors: SensorList) -> None:
    sigma = _first(source, plugin, "gaussianNoise")
    noise = {"noise_sigma": sigma}
    settings = {"accelerometer": noise, "gyroscope": noise} if sigma else {}
    _mount(source, plugin, sensors, "ideal-imu", "imu", settings, {"data": _topic(source, plugin)})


def _hector_gps(source: XmlSource, plugin: Element, sensors: SensorList) -> None:
    drift = _first(source, plugin, "drift")
    white = _first(source, plugin, "gaussianNoise")
    single = {"wander_m": [drift, drift], "wander_s": 3600.0, "white_m": [white, white]}
    sigma = _first(source, plugin, "velocityGaussianNoise")
    topics = {
        "fix": _topic(source, plugin),
        "vel": named(plugin, plugin_text(source, plugin, "velocityTopicName")),
    }
    settings = {"single": single, "velocity_sigma": [sigma, sigma]}
    _mount(source, plugin, sensors, "hector-gps", "navsat", settings, topics)
    here = [e for e in plugin if e.tag in _REFERENCE_TAGS]
    if here:
        told = ", ".join(f"{e.tag} {(e.text or '').strip()}" for e in here)
        source.note(plugin, f"left out: {told}; a world's 'origin' says where on Earth it is")


def _magnetic(source: XmlSource, plugin: Element, sensors: SensorList) -> None:
    topics = {"field": _topic(source, plugin)}
    _mount(source, plugin, sensors, "ideal-compass", "magnetometer", {}, topics)


def _force_torque(source: XmlSource, plugin: Element, sensors: SensorList) -> None:
    sigma = {"noise_sigma": _first(source, plugin, "gaussianNoise")}
    settings = {"force": sigma, "torque": sigma} if sigma["noise_sigma"] else {}
    joint = plugin_text(source, plugin, "jointName", "joint_name")
    topics = {"wrench": _topic(source, plugin)}
    link = sensors.joints.get(joint, joint)
    _mount(source, plugin, sensors, "ideal-force-torque", joint, settings, topics, link=link)


def _mount(
    source: XmlSource,
    plugin: Element,
    sensors: SensorList,
    model: str,
    name: str,
    settings: Data,
    topics: dict[str, str],
    *,
    link: str = "",
) -> None:
    tags = ("bodyName", "body_name", "frame_name", "frameName")
    body = link or plugin_text(source, plugin, *tags)
    if body not in sensors.links:
        sensors.keep(plugin)
        source.note(
            plugin, f"plugin {plugin_kind(plugin)} is for a link '{body}' that is not there"
        )
        return
    sensors.namespaces.append(namespace(plugin))
    told = _number(source, plugin, "updateRate", "update_rate", "updateRateHZ")
    rate = possible_rate(source, plugin, model, told)
    frame = plugin_text(source, plugin, "frameId", "frame_id")
    sensors.add(model, name, body, settings, topics, rate_hz=rate, frame_id=frame)
    source.note(plugin, f"plugin {plugin_kind(plugin)} is read as '{model}'", "applied")


def _topic(source: XmlSource, plugin: Element) -> str:
    return named(plugin, plugin_text(source, plugin, "topicName", "topic_name"))


def _first(source: XmlSource, plugin: Element, tag: str) -> float:
    """Return the first of one or three figures: the axes are alike here."""
    words = source.child_text(plugin, tag).split()
    child = plugin.find(tag)
    if child is None or not words:
        return 0.0
    values = source.parse(child, tag, " ".join(words), len(words))
    if min(values) != max(values):
        source.note(child, f"its axes differ; {values[0]:g} is used for all", "guessed")
    return max(0.0, values[0])


_DRIVES: dict[str, Callable[[XmlSource, Element], DriveFigures]] = {
    **dict.fromkeys(
        (
            "gazebo_ros_diff_drive",
            "gazebo_ros_skid_steer_drive",
            "diff_drive",
            "hector_gazebo_ros_diff_drive",
            "gazebo_ros_diffdrive",
        ),
        _differential,
    ),
    **dict.fromkeys(("ackermann_steering", "gazebo_ros_ackermann_drive"), _ackermann),
}
_SENSORS: dict[str, Callable[[XmlSource, Element, SensorList], None]] = {
    "hector_gazebo_ros_imu": _hector_imu,
    "gazebo_ros_imu": _plain_imu,
    "gazebo_ros_imu_sensor": _plain_imu,
    "hector_gazebo_ros_gps": _hector_gps,
    "gazebo_ros_ft_sensor": _force_torque,
    "hector_gazebo_ros_magnetic": _magnetic,
}
