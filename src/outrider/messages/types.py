"""The message classes used internally, under their short names."""

from typing import Any, TypeAlias

from rosbags.typesys.stores import ros2_jazzy as ros

from outrider.core.clock import NS_PER_S
from outrider.messages.store import message_class, register, store

__all__ = ["message_class", "register", "store"]  # found here as well as the classes

Message: TypeAlias = Any  # an instance of any class of the store; shared, so never changed

Duration = ros.builtin_interfaces__msg__Duration
Time = ros.builtin_interfaces__msg__Time

Accel = ros.geometry_msgs__msg__Accel
Point = ros.geometry_msgs__msg__Point
PointStamped = ros.geometry_msgs__msg__PointStamped
Pose = ros.geometry_msgs__msg__Pose
PoseStamped = ros.geometry_msgs__msg__PoseStamped
PoseWithCovariance = ros.geometry_msgs__msg__PoseWithCovariance
PoseWithCovarianceStamped = ros.geometry_msgs__msg__PoseWithCovarianceStamped
Quaternion = ros.geometry_msgs__msg__Quaternion
Transform = ros.geometry_msgs__msg__Transform
TransformStamped = ros.geometry_msgs__msg__TransformStamped
Twist = ros.geometry_msgs__msg__Twist
TwistStamped = ros.geometry_msgs__msg__TwistStamped
TwistWithCovariance = ros.geometry_msgs__msg__TwistWithCovariance
Vector3 = ros.geometry_msgs__msg__Vector3
Vector3Stamped = ros.geometry_msgs__msg__Vector3Stamped
Wrench = ros.geometry_msgs__msg__Wrench
WrenchStamped = ros.geometry_msgs__msg__WrenchStamped

MapMetaData = ros.nav_msgs__msg__MapMetaData
OccupancyGrid = ros.nav_msgs__msg__OccupancyGrid
Odometry = ros.nav_msgs__msg__Odometry
Path = ros.nav_msgs__msg__Path

Clock = ros.rosgraph_msgs__msg__Clock

BatteryState = ros.sensor_msgs__msg__BatteryState
CameraInfo = ros.sensor_msgs__msg__CameraInfo
CompressedImage = ros.sensor_msgs__msg__CompressedImage
FluidPressure = ros.sensor_msgs__msg__FluidPressure
Image = ros.sensor_msgs__msg__Image
Imu = ros.sensor_msgs__msg__Imu
JointState = ros.sensor_msgs__msg__JointState
LaserScan = ros.sensor_msgs__msg__LaserScan
MagneticField = ros.sensor_msgs__msg__MagneticField
NavSatFix = ros.sensor_msgs__msg__NavSatFix
NavSatStatus = ros.sensor_msgs__msg__NavSatStatus
PointCloud2 = ros.sensor_msgs__msg__PointCloud2
PointField = ros.sensor_msgs__msg__PointField
Range = ros.sensor_msgs__msg__Range
Temperature = ros.sensor_msgs__msg__Temperature

Bool = ros.std_msgs__msg__Bool
ColorRGBA = ros.std_msgs__msg__ColorRGBA
Float32 = ros.std_msgs__msg__Float32
Float64 = ros.std_msgs__msg__Float64
Header = ros.std_msgs__msg__Header
Int16 = ros.std_msgs__msg__Int16
Int32 = ros.std_msgs__msg__Int32
String = ros.std_msgs__msg__String

TFMessage = ros.tf2_msgs__msg__TFMessage


def time(time_ns: int) -> Time:
    """Return simulated nanoseconds as a time stamp."""
    seconds, rest = divmod(time_ns, NS_PER_S)
    return Time(seconds, rest)


def header(time_ns: int, frame_id: str) -> Header:
    """Return the header of a message measured at a time, in a frame."""
    return Header(time(time_ns), frame_id)
