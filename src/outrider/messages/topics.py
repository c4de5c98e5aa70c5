"""THE topic table: names, types, rates and directions."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from outrider.core.errors import BusError, near_match

WORLD_FRAME = "map"  # the frame of the world, which ground truth is told in
Direction: TypeAlias = Literal["out", "in"]  # as seen from the simulation
Kept: TypeAlias = Literal["latest", "all"]  # what a reader that falls behind still gets

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_LONGEST = 255  # letters of a name: as on ROS 2
_NAME = re.compile(r"(/[A-Za-z0-9_]+)+")


@dataclass(frozen=True, slots=True)
class Topic:
    """One row. A rate of 0 means every step for periodic outputs, otherwise on events."""

    key: str
    name: str  # a template: see resolve()
    type: str
    rate_hz: float
    direction: Direction
    latched: bool = False
    kept: Kept = "latest"
    description: str = ""


def _out(key: str, name: str, kind: str, rate_hz: float, description: str) -> Topic:
    return Topic(key, name, kind, rate_hz, "out", description=description)


def _in(key: str, name: str, kind: str, description: str) -> Topic:
    return Topic(key, name, kind, 0, "in", description=description)


def _actuator(key: str, kind: str, description: str) -> Topic:
    return _in(key, f"actuators/{key}", f"autominy_msgs/msg/{kind}", description)


_ODOMETRY = "nav_msgs/msg/Odometry"
_STD = "std_msgs/msg"
_TF = "tf2_msgs/msg/TFMessage"

_ROWS = (
    _out("clock", "/clock", "rosgraph_msgs/msg/Clock", 0, "simulated time, each step"),
    _out("joint_states", "joint_states", "sensor_msgs/msg/JointState", 50, "all moving joints"),
    _out("odometry", "odom", _ODOMETRY, 50, "pose and velocity from wheel odometry"),
    # all robots speak on /tf: who reads only the latest would miss the others
    Topic("tf", "/tf", _TF, 50, "out", kept="all", description="frames that move"),
    Topic(
        "tf_static",
        "/tf_static",
        _TF,
        rate_hz=0,
        direction="out",
        latched=True,
        kept="latest",
        description="frames that never move",
    ),
    _out("ground_truth", "ground_truth/state", _ODOMETRY, 50, "true pose and velocity"),
    _out(
        "performance_metrics",
        "/performance_metrics",
        "outrider_msgs/msg/PerformanceMetrics",
        1,
        "performance of the simulation",
    ),
    Topic(
        "collisions",
        "collisions",
        "outrider_msgs/msg/Collision",
        0,
        "out",
        kept="all",
        description="each new contact with anything but the ground",
    ),
    _in("cmd_vel", "cmd_vel", "geometry_msgs/msg/Twist", "speed and yaw rate to drive at"),
    _in(
        "cmd_vel_stamped",
        "cmd_vel_stamped",
        "geometry_msgs/msg/TwistStamped",
        "speed and yaw rate to drive at",
    ),
    _actuator("steering", "SteeringCommand", "steering angle, rad"),
    _actuator("steering_pwm", "SteeringPWMCommand", "servo pulse, 950 (left) to 2150 (right)"),
    _actuator("steering_normalized", "NormalizedSteeringCommand", "fraction of full lock, -1 to 1"),
    _actuator("speed", "SpeedCommand", "speed, m/s"),
    _actuator("speed_pwm", "SpeedPWMCommand", "motor pulse width, -1000 to 1000"),
    _actuator("speed_normalized", "NormalizedSpeedCommand", "fraction of full speed, -1 to 1"),
    _in("steering_manual", "steering", f"{_STD}/UInt8", "0 (right) to 180 (left), older cars"),
    _in("speed_manual", "manual_control/speed", f"{_STD}/Int16", "-1000 to 1000, older cars"),
)

TOPICS: dict[str, Topic] = {row.key: row for row in _ROWS}


def topic_name(template: str, *, namespace: str, robot_id: int | str, name: str, type_: str) -> str:
    """Return a topic's full name; without a leading '/' it goes under the robot's namespace.

    ``{ID}``, ``{NAME}`` and ``{TYPE}`` stand for the robot's number, name and model, in the
    namespace as well.
    """
    whole = template if template.startswith("/") else _under(namespace, template)
    return check_name(fill(whole, robot_id=robot_id, name=name, type_=type_), template)


def fill(template: str, *, robot_id: int | str, name: str, type_: str) -> str:
    """Return a template with its placeholders filled in."""
    values = {"ID": str(robot_id), "NAME": name, "TYPE": type_}
    return _PLACEHOLDER.sub(lambda found: _value(found[1], values, template), template)


def check_name(name: str, template: str = "") -> str:
    """Return the name if ROS could have a topic of it, else raise."""
    if len(name) > _LONGEST:
        raise BusError(
            f"a topic name has {_LONGEST} letters at most, not {len(name)}: {name:.40}..."
        )
    if _NAME.fullmatch(name):
        return name
    source = f" (from '{template}')" if template and template != name else ""
    raise BusError(
        f"'{name}'{source} is not a topic name: use letters, digits and _ between single"
        " slashes, and begin with a slash"
    )


def _under(namespace: str, template: str) -> str:
    prefix = namespace.strip("/")
    return f"/{prefix}/{template}" if prefix else f"/{template}"


def _value(placeholder: str, values: dict[str, str], template: str) -> str:
    if placeholder not in values:
        raise BusError(
            f"topic template '{template}' has the unknown placeholder {{{placeholder}}}"
            f"{near_match(placeholder.upper(), values)}; known: {{ID}}, {{NAME}}, {{TYPE}}"
        )
    return values[placeholder]
