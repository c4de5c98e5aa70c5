"""The qualitative rows of table 11, from what is installed and works here."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec

from outrider.physics.engine import ENGINES


@dataclass(frozen=True, slots=True)
class Feature:
    """A score by the rules of the paper, and its basis."""

    score: float
    because: str


def features() -> dict[str, Feature]:
    """Return the seven rows."""
    asked: dict[str, Callable[[], Feature]] = {
        "free": _free,
        "open": _free,
        "ros": _ros,
        "languages": _languages,
        "ui": _ui,
        "formats": _formats,
        "engines": _engines,
    }
    return {key: ask() for key, ask in asked.items()}


def _free() -> Feature:
    return Feature(1.0, "Apache-2.0")


def _ros() -> Feature:
    two = "and ROS 2 by rclpy" if find_spec("rclpy") else "(ROS 2: rclpy is not installed here)"
    return Feature(1.0, f"ROS 1 comes with it, without ROS installed {two}")


def _languages() -> Feature:
    """C++ and Python count by the bridges; MATLAB's language by Octave, and a browser's."""
    octave = shutil.which("octave") or shutil.which("octave-cli")
    seen = "Octave is installed here" if octave else "Octave is not installed here: not tried"
    return Feature(1.0, f"Python; C++, Octave, JavaScript over rosbridge and ROS 1 ({seen})")


def _ui() -> Feature:
    if find_spec("nicegui") is None:
        return Feature(0.0, "the editor is not installed: pip install 'outrider[ui]'")
    return Feature(1.0, "editor: start, stop, step, see, add models at any moment")


def _formats() -> Feature:
    return Feature(1.0, "URDF, SDF, MJCF, STL, OBJ, Collada, glTF, PLY, DXF no, PROTO no")


def _engines() -> Feature:
    known = [name for name in ENGINES if name != "kinematic"]
    found = [name for name in known if name != "bullet" or find_spec("pybullet")]
    return Feature(1.0 if len(found) > 1 else 0.0, f"usable here: {', '.join(found)}")
