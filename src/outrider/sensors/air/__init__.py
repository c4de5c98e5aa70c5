"""Pressure and temperature of the air."""

PUBLIC = ("barometer", "thermometer")
