"""Gazebo's own tags and plugins, in URDF and SDF: sensors, cameras, surfaces, topics."""

PUBLIC = ("plugins", "pose", "sensors", "surface", "tags")
