"""What can be moved and rotated: the words that everything built in Python shares."""

import copy
from pathlib import Path
from typing import Self

from outrider.specs.world import RGBA, PoseSpec


class Placed:
    """Something with a name and a place. Its methods change it and return it, for chains."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.pose = PoseSpec()
        self.added = False  # to a world or robot: there it is only once

    def move(self, x: float = 0.0, y: float = 0.0, z: float | None = None) -> Self:
        """Put its centre there (m); without ``z`` it is put on the ground."""
        turn = self.pose
        self.pose = PoseSpec(x, y, z, turn.roll_deg, turn.pitch_deg, turn.yaw_deg)
        return self

    def rotate(self, roll_deg: float = 0.0, pitch_deg: float = 0.0, yaw_deg: float = 0.0) -> Self:
        """Turn it: about x, then y, then z (the axes do not turn with it)."""
        place = self.pose
        self.pose = PoseSpec(place.x, place.y, place.z, roll_deg, pitch_deg, yaw_deg)
        return self

    def copy(self, name: str = "") -> Self:
        """Return another one just like it, to be put somewhere else."""
        twin = copy.copy(self)
        twin.name, twin.added = name, False
        return twin

    @property
    def word(self) -> str:
        """What it is called where it has no name."""
        return type(self).__name__.lower()

    @property
    def pose_inside(self) -> PoseSpec:
        """Its pose in something else's frame, where no ground decides the height."""
        p = self.pose
        z = 0.0 if p.z is None else p.z
        return PoseSpec(p.x, p.y, z, p.roll_deg, p.pitch_deg, p.yaw_deg)


def rgba(colour: tuple[float, ...] | None) -> RGBA | None:
    """Return a colour with its opacity, which people leave out."""
    if colour is None:
        return None
    red, green, blue, *opacity = colour
    return red, green, blue, opacity[0] if opacity else 1.0


def whole_path(file: str | Path) -> str:
    """Return a file's path from wherever the program was started; empty stays empty."""
    return str(Path(file).resolve()) if str(file) else ""
