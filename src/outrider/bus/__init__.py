"""Publish and subscribe inside the process."""
