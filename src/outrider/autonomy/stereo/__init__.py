"""From two pictures to depth."""
