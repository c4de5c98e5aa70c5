"""Inertial measurement units."""

PUBLIC = ("imu", "triad")
