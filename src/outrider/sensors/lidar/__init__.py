"""LiDARs."""

PUBLIC = ("lidar",)
