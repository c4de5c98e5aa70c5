"""ROS 2 through rclpy."""

PUBLIC = ("bridge",)
