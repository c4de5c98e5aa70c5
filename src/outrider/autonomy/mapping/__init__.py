"""Mapping: the occupancy grid and its files."""
