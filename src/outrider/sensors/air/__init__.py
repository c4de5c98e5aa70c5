"""Pressure and temperature of the air."""

PUBLIC = ("atmosphere", "barometer", "thermometer")
