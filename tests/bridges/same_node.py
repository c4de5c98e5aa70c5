"""One controller, two client libraries: ``same_node.py ros1`` or ``same_node.py ros2 DOMAIN``.

The logic knows messages only; it answers every odometry message with one command.
"""

import math
import sys
import time

ODOMETRY = "/jackal_velocity_controller/odom"
POINTS = [(1.5, 0.0), (2.5, 1.0), (1.0, 2.0)]


class Follower:
    """Drives from point to point, as a stack on the real robot would."""

    def __init__(self):
        self.left = list(POINTS)

    def command(self, odometry):
        """Return speed and yaw rate for where the robot believes to be."""
        p, q = odometry.pose.pose.position, odometry.pose.pose.orientation
        yaw = math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))
        while self.left and math.hypot(self.left[0][0] - p.x, self.left[0][1] - p.y) < 0.15:
            self.left.pop(0)
        if not self.left:
            return 0.0, 0.0
        dx, dy = self.left[0][0] - p.x, self.left[0][1] - p.y
        off = math.atan2(dy, dx) - yaw
        off = math.atan2(math.sin(off), math.cos(off))
        return 0.8 * max(0.0, math.cos(off)), 1.5 * off


def twist(message, speed, yaw_rate):
    message.linear.x, message.angular.z = speed, yaw_rate
    return message


def ros1():
    import rospy
    from geometry_msgs.msg import Twist
    from nav_msgs.msg import Odometry

    rospy.init_node("follower", disable_rostime=True, disable_signals=True)
    follower = Follower()
    out = rospy.Publisher("/cmd_vel", Twist, queue_size=10, tcp_nodelay=True)
    heard = rospy.Subscriber(
        ODOMETRY, Odometry, lambda m: out.publish(twist(Twist(), *follower.command(m)))
    )
    while not (out.get_num_connections() and heard.get_num_connections()):
        time.sleep(0.05)
    time.sleep(0.5)
    out.publish(Twist())
    while True:
        time.sleep(0.1)


def ros2(domain):
    import rclpy
    from geometry_msgs.msg import Twist
    from nav_msgs.msg import Odometry

    rclpy.init(domain_id=int(domain))
    node = rclpy.create_node("follower")
    follower = Follower()
    out = node.create_publisher(Twist, "/cmd_vel", 10)
    node.create_subscription(
        Odometry, ODOMETRY, lambda m: out.publish(twist(Twist(), *follower.command(m))), 10
    )
    while not (out.get_subscription_count() and node.count_publishers(ODOMETRY)):
        rclpy.spin_once(node, timeout_sec=0.05)
    time.sleep(1.0)
    out.publish(Twist())
    rclpy.spin(node)


if __name__ == "__main__":
    ros1() if sys.argv[1] == "ros1" else ros2(sys.argv[2])
