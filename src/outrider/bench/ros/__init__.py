"""Benchmarks of both ROS bridges, and their peers in separate processes."""

PUBLIC = ("ros1", "ros2")
