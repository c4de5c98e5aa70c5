"""The ports of the stack: their topics, as users of ROS navigation know them, and types."""

from collections.abc import Mapping

from outrider.core.errors import AutonomyError, near_match

SENSED = {  # what the robot says
    "tf_static": ("/tf_static", "tf2_msgs/msg/TFMessage"),
    "imu": ("imu/data", "sensor_msgs/msg/Imu"),
    "wheels": ("jackal_velocity_controller/odom", "nav_msgs/msg/Odometry"),
    "points": ("mid/points", "sensor_msgs/msg/PointCloud2"),
    "scan": ("front/scan", "sensor_msgs/msg/LaserScan"),
    "image": ("camera/color/image_raw", "sensor_msgs/msg/Image"),
    "left": ("front/left/image_raw", "sensor_msgs/msg/Image"),
    "right": ("front/right/image_raw", "sensor_msgs/msg/Image"),
    "left_info": ("front/left/camera_info", "sensor_msgs/msg/CameraInfo"),
    "right_info": ("front/right/camera_info", "sensor_msgs/msg/CameraInfo"),
}
SAID = {  # what a part of the stack says, or whoever takes its place
    "tf": ("/tf", "tf2_msgs/msg/TFMessage"),
    "odometry": ("odometry", "nav_msgs/msg/Odometry"),
    "cloud": ("cloud_deskewed", "sensor_msgs/msg/PointCloud2"),
    "stereo_cloud": ("points2", "sensor_msgs/msg/PointCloud2"),
    "obstacles": ("planner_cloud", "sensor_msgs/msg/PointCloud2"),
    "ground": ("ground_cloud", "sensor_msgs/msg/PointCloud2"),
    "map": ("map", "nav_msgs/msg/OccupancyGrid"),
    "map_cloud": ("map_cloud", "sensor_msgs/msg/PointCloud2"),
    "corrected": ("slam/corrections", "nav_msgs/msg/Path"),
    "trajectory": ("slam/trajectory", "nav_msgs/msg/Path"),
    "goal": ("goal", "geometry_msgs/msg/PoseStamped"),
    "plan": ("move_base/NavfnROS/plan", "nav_msgs/msg/Path"),
    "global_costmap": ("move_base/global_costmap/costmap", "nav_msgs/msg/OccupancyGrid"),
    "local_costmap": ("move_base/local_costmap/costmap", "nav_msgs/msg/OccupancyGrid"),
    "result": ("goal_result", "outrider_msgs/msg/GoalResult"),
    "health": ("autonomy/health", "outrider_msgs/msg/ComponentHealth"),
    "cmd_vel": ("cmd_vel", "geometry_msgs/msg/Twist"),
}
PORTS = SENSED | SAID


def ports(*names: str) -> dict[str, str]:
    """Return the message types of some ports."""
    return {name: PORTS[name][1] for name in names}


def topics(namespace: str, changed: Mapping[str, str]) -> dict[str, str]:
    """Return the topic of every port; names without a leading '/' go under the namespace."""
    for port in changed:
        if port not in PORTS:
            hint = near_match(port, PORTS)
            raise AutonomyError(f"topics: the stack has no port '{port}'{hint}")
    prefix = f"/{namespace.strip('/')}" if namespace.strip("/") else ""
    found = {}
    usual = {port: topic for port, (topic, _) in PORTS.items()}
    for port, name in {**usual, **changed}.items():
        found[port] = name if name.startswith("/") else f"{prefix}/{name}"
    return found
