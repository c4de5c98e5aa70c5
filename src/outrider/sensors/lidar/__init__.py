"""LiDARs."""

PUBLIC = ("lidar", "parameters")
