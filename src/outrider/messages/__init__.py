"""ROS message types, conversion, and the topic table."""
