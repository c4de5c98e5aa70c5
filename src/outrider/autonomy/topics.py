"""The names of the stack's topics, as users of ROS navigation know them."""

from collections.abc import Mapping

from outrider.core.errors import AutonomyError, near_match

SENSED = {  # what the robot says
    "tf_static": "/tf_static",
    "imu": "imu/data",
    "wheels": "jackal_velocity_controller/odom",
    "points": "mid/points",
    "scan": "front/scan",
    "image": "camera/color/image_raw",
    "left": "front/left/image_raw",
    "right": "front/right/image_raw",
    "left_info": "front/left/camera_info",
    "right_info": "front/right/camera_info",
}
SAID = {  # what a part of the stack says, or whoever takes its place
    "tf": "/tf",
    "odometry": "odometry",
    "cloud": "cloud_deskewed",
    "stereo_cloud": "points2",
    "obstacles": "planner_cloud",
    "ground": "ground_cloud",
    "map": "map",
    "map_cloud": "map_cloud",
    "corrected": "slam/corrections",
    "trajectory": "slam/trajectory",
    "goal": "goal",
    "plan": "move_base/NavfnROS/plan",
    "global_costmap": "move_base/global_costmap/costmap",
    "local_costmap": "move_base/local_costmap/costmap",
    "result": "goal_result",
    "health": "autonomy/health",
    "cmd_vel": "cmd_vel",
}
PORTS = SENSED | SAID


def topics(namespace: str, changed: Mapping[str, str]) -> dict[str, str]:
    """Return the topic of every port; names without a leading '/' go under the namespace."""
    for port in changed:
        if port not in PORTS:
            hint = near_match(port, PORTS)
            raise AutonomyError(f"topics: the stack has no port '{port}'{hint}")
    prefix = f"/{namespace.strip('/')}" if namespace.strip("/") else ""
    found = {}
    for port, name in {**PORTS, **changed}.items():
        found[port] = name if name.startswith("/") else f"{prefix}/{name}"
    return found
