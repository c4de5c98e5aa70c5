"""Foxglove: topics, services, parameters, time and the scene over its WebSocket."""

PUBLIC = ("bridge",)
