"""Sensors that touch, or miss the floor: bumpers, collisions, cliffs, wheel drops."""

PUBLIC = ("bumper", "cliff", "collision", "wheel_drop")
