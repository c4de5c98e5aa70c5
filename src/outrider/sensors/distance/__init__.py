"""Distance sensors: ultrasonic, infrared, radar."""

PUBLIC = ("infrared", "look", "radar", "ultrasonic")
