"""python3 create_ros_node.py PORT: a ROS 1 driver of a Create, on the public library pycreate2.

It takes ``/cmd_vel`` and publishes ``/odom``. It knows nothing of the simulator: the port may be
that of a real Create 2.
"""

import math
import sys

import rospy
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from pycreate2 import Create2

TRACK_MM, MM_PER_TICK = 235.0, math.pi * 72.0 / 508.8


def drive(robot, twist):
    speed, turn = 1000 * twist.linear.x, twist.angular.z * TRACK_MM / 2
    robot.drive_direct(int(speed + turn), int(speed - turn))


def travelled(new, old):
    """Return millimetres of a wheel between two readings of its 16-bit counter."""
    return ((new - old + 32768) % 65536 - 32768) * MM_PER_TICK


rospy.init_node("create")
robot = Create2(sys.argv[1])
robot.start()
robot.safe()
odometry = rospy.Publisher("odom", Odometry, queue_size=10)
rospy.Subscriber("cmd_vel", Twist, lambda twist: drive(robot, twist))
pose, x, y, yaw = Odometry(), 0.0, 0.0, 0.0
pose.header.frame_id, pose.child_frame_id = "odom", "base_link"
before = robot.get_sensors()
while not rospy.is_shutdown():
    now = robot.get_sensors()
    left = travelled(now.encoder_counts_left, before.encoder_counts_left)
    right = travelled(now.encoder_counts_right, before.encoder_counts_right)
    before, driven, yaw = now, (left + right) / 2000, yaw + (right - left) / TRACK_MM
    x, y = x + driven * math.cos(yaw), y + driven * math.sin(yaw)
    pose.header.stamp = rospy.Time.now()
    place, turn = pose.pose.pose.position, pose.pose.pose.orientation
    place.x, place.y, turn.z, turn.w = x, y, math.sin(yaw / 2), math.cos(yaw / 2)
    odometry.publish(pose)
    rospy.sleep(0.05)
