"""rviz under a virtual display shows robot, frames, scan, cloud and image."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from ros1_bench import needs_ros1

ROOT = Path(__file__).resolve().parents[3]
_missing = [name for name in ("rviz", "Xvfb", "import") if shutil.which(name) is None]
pytestmark = [
    pytest.mark.peer,
    pytest.mark.slow,
    needs_ros1,
    pytest.mark.skipif(bool(_missing), reason=f"not installed: {', '.join(_missing)}"),
]


def test_rviz_shows_what_the_simulation_says(tmp_path):
    picture = tmp_path / "rviz.png"
    tool = [sys.executable, str(ROOT / "tools" / "rviz_picture.py"), str(picture)]
    for seconds in (20, 60):  # a busy machine takes longer to draw the first picture
        subprocess.run([*tool, str(seconds)], check=True, timeout=seconds + 70, env={**os.environ})
        unseen = looked_at(np.asarray(Image.open(picture).convert("RGB")).astype(int))
        if not unseen:
            return
    pytest.fail(f"not in the picture: {unseen}")


def looked_at(pixels):
    """Return what cannot be seen."""
    view, image = pixels[100:760, 370:], pixels[90:320, 15:330]
    colours = {
        "the scan's red": (255, 30, 30),
        "the axes' and the cloud's green": (0, 255, 0),
        "their blue": (0, 0, 255),
        "the cloud's yellow": (255, 255, 0),
    }
    seen = {
        name: (np.abs(view - colour).max(axis=2) < 60).sum() > 20
        for name, colour in colours.items()
    }
    sky = (image[..., 2] > image[..., 0] + 20) & (image[..., 2] > 150)
    seen["the camera's picture"] = sky.sum() > 1000
    seen["the robot, in its colours"] = jackal_yellow(view).sum() > 150
    return [name for name, there in seen.items() if not there]


def jackal_yellow(view):
    """Mark the robot's colour, only where it is wider than a line of the cloud."""
    red, green, blue = np.moveaxis(view, 2, 0)
    yellow = (red > 90) & (np.abs(green / (red + 1) - 0.79) < 0.08) & (blue < 0.3 * red)
    for axis in (0, 1):
        yellow = yellow & np.roll(yellow, 3, axis) & np.roll(yellow, -3, axis)
    return yellow
