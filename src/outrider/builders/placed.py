"""Objects that can be moved and rotated: the methods of everything built in Python."""

import copy
from pathlib import Path
from typing import Self

from outrider.core.arguments import file_argument, numbers_argument
from outrider.specs.world import RGBA, PoseSpec


class Placed:
    """An object with a name and a pose. Its methods modify and return it, for chaining."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.pose = PoseSpec()
        self.added = False  # to a world or robot: there it is only once

    def move(self, x: float = 0.0, y: float = 0.0, z: float | None = None) -> Self:
        """Move its centre (m); without ``z`` it is placed on the ground."""
        turn = self.pose
        self.pose = PoseSpec(x, y, z, turn.roll_deg, turn.pitch_deg, turn.yaw_deg)
        return self

    def rotate(self, roll_deg: float = 0.0, pitch_deg: float = 0.0, yaw_deg: float = 0.0) -> Self:
        """Rotate it about the fixed axes x, then y, then z."""
        place = self.pose
        self.pose = PoseSpec(place.x, place.y, place.z, roll_deg, pitch_deg, yaw_deg)
        return self

    def copy(self, name: str = "") -> Self:
        """Return a copy."""
        twin = copy.copy(self)
        twin.name, twin.added = name, False
        return twin

    @property
    def word(self) -> str:
        """Its default name."""
        return type(self).__name__.lower()

    @property
    def pose_inside(self) -> PoseSpec:
        """Its pose in another frame, where no ground determines the height."""
        p = self.pose
        z = 0.0 if p.z is None else p.z
        return PoseSpec(p.x, p.y, z, p.roll_deg, p.pitch_deg, p.yaw_deg)


def rgba(colour: tuple[float, ...] | None) -> RGBA | None:
    """Return a colour with its opacity, which may be omitted."""
    if colour is None:
        return None
    red, green, blue, *opacity = numbers_argument(colour, "colour", 3, 4)
    return red, green, blue, opacity[0] if opacity else 1.0


def whole_path(file: str | Path) -> str:
    """Return a file's absolute path; empty stays empty."""
    path = file_argument(file, "file")
    return str(path.resolve()) if str(file) else ""
