"""ROS 1 messages: types with their definitions and checksums, and conversion."""

PUBLIC = ("convert", "types")
