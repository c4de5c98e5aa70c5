"""Sensors for touch and missing floor: bumpers, collisions, cliffs, wheel drops."""

PUBLIC = ("bumper", "cliff", "collision", "wheel_drop")
