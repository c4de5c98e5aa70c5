"""Messages as ROS 1 has them: types with their texts and checksums, and conversion."""

PUBLIC = ("convert", "types")
