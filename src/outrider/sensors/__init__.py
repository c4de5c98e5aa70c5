"""Sensors: pure reads of the state. Rate, phase and latency live once, in ``sampling``."""
