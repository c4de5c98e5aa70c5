"""rviz under a virtual display shows robot, frames, scan, cloud and image."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
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
    from PIL import Image

    picture = tmp_path / "rviz.png"
    command = [sys.executable, str(ROOT / "tools" / "rviz_picture.py"), str(picture), "20"]
    subprocess.run(command, check=True, timeout=150, env={**os.environ})
    pixels = np.asarray(Image.open(picture).convert("RGB")).astype(int)
    view, image = pixels[100:760, 370:], pixels[90:320, 15:330]
    for colour in ((255, 30, 30), (0, 255, 0), (0, 0, 255), (255, 255, 0)):
        # the scan's red, the axes' and the cloud's green, blue and yellow
        assert (np.abs(view - colour).max(axis=2) < 60).sum() > 20, f"no {colour}"
    sky = (image[..., 2] > image[..., 0] + 20) & (image[..., 2] > 150)
    assert sky.sum() > 1000  # the camera's picture
    red, green, blue = np.moveaxis(view, 2, 0)
    yellow = (red > 90) & (np.abs(green / (red + 1) - 0.79) < 0.08) & (blue < 0.3 * red)
    for axis in (0, 1):  # only what is wider than a line of the cloud
        yellow = yellow & np.roll(yellow, 3, axis) & np.roll(yellow, -3, axis)
    assert yellow.sum() > 150  # the robot, in its colours
