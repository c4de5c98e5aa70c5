"""Distance sensors: ultrasonic, infrared, radar."""

PUBLIC = ("infrared", "radar", "ultrasonic")
