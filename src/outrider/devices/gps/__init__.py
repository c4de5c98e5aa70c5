"""GNSS receivers that speak NMEA 0183 on a serial line."""

PUBLIC = ("receiver", "sentences")
