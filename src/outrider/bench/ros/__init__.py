"""Benchmarks of both ROS bridges, and their peers in processes of their own."""

PUBLIC = ("ros1", "ros2")
