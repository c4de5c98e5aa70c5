"""Beams as nested cones of rays, each with its own opening angle, length and number of rays."""

import math
from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array, matrix_from_quaternion, quaternion_from_rpy
from outrider.core.structure import number

_GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))


@dataclass(frozen=True, slots=True)
class BeamCone:
    """One lobe about the sensor's x axis, or about another one; hollow if it has an inner angle."""

    half_angle_deg: float = number(above=0.0, most=180.0)
    length: float = number(above=0.0, most=10000.0)  # length of its rays, m
    rays: int = number(32, least=1, most=100_000)
    inner_deg: float = number(0.0, least=0.0, most=180.0)  # a ring without rays inside this angle
    azimuth_deg: float = number(0.0, least=-180.0, most=180.0)  # of its axis, to the left
    elevation_deg: float = number(0.0, least=-90.0, most=90.0)  # of its axis, upward

    def __post_init__(self) -> None:
        if self.inner_deg >= self.half_angle_deg:
            raise ValueError(
                f"inner_deg must be below half_angle_deg {self.half_angle_deg}, "
                f"got {self.inner_deg}"
            )

    def directions(self) -> Array:
        """Return unit vectors (rays, 3), each for an equal part of the solid angle.

        They lie on a Fibonacci spiral from the axis (or the inner edge) to the edge, both included.
        """
        k = np.arange(self.rays)
        inner, outer = (
            math.cos(math.radians(self.inner_deg)),
            math.cos(math.radians(self.half_angle_deg)),
        )
        along = inner + (outer - inner) * k / max(1, self.rays - 1)
        across = np.sqrt(np.maximum(0.0, 1.0 - along * along))
        turn = k * _GOLDEN_ANGLE
        rays = np.column_stack([along, across * np.cos(turn), across * np.sin(turn)])
        axis = quaternion_from_rpy(
            0.0, -math.radians(self.elevation_deg), math.radians(self.azimuth_deg)
        )
        return rays @ matrix_from_quaternion(axis).T

    @property
    def reach_deg(self) -> float:
        """How far from the sensor's x axis its rays go at most."""
        yaw, pitch = math.radians(self.azimuth_deg), math.radians(self.elevation_deg)
        return self.half_angle_deg + math.degrees(math.acos(math.cos(yaw) * math.cos(pitch)))


class Beam:
    """All rays of some cones, in the sensor's frame."""

    def __init__(self, cones: tuple[BeamCone, ...]) -> None:
        self.directions: Array = np.concatenate([cone.directions() for cone in cones])
        self.lengths: Array = np.repeat(
            [cone.length for cone in cones], [cone.rays for cone in cones]
        )
        # the cone that reaches farthest is what people call the sensor's field of view
        main = max(cones, key=lambda cone: cone.length)
        self.field_of_view_rad = 2 * math.radians(min(180.0, main.reach_deg))
