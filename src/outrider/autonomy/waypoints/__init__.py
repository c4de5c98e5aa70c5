"""Waypoints: one goal after another, from a file or a scenario."""
