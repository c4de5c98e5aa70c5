"""ROS-shaped messages: types, conversion, and the topic table."""
