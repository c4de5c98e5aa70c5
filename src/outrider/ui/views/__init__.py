"""Sensor data and maps, prepared for display."""
