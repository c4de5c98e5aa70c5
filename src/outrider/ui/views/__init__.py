"""What sensors and maps say, made ready to be drawn."""
