"""ROS-TCP."""
