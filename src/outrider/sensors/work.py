"""What a measurement costs at most, counted by what it casts and draws."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Work:
    """One measurement, with all its outputs heard."""

    rays: int = 0
    pixels: int = 0  # of all its images together
    measurements: int = 1  # how many of an IMU take as long, besides rays and pixels
