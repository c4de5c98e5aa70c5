"""Inertial measurement units."""

PUBLIC = ("imu",)
