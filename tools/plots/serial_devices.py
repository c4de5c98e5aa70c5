"""Draws docs/images/serial_ping.png and serial_scan.png: what programs read from serial ports.

Usage: python tools/plots/serial_devices.py [ping|scan]. The programs are those of examples/sear,
unchanged, in processes of their own; the scenes are roomba-room and sick-boxes.
"""

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Polygon
from numpy.typing import NDArray

ROOT = Path(__file__).parents[2]
SEAR = ROOT / "examples" / "sear"
IMAGES = ROOT / "docs" / "images"
START_X = -2.3  # of the robot in roomba-room; it drives along y = 0 and looks to the left
WALL_Y = 1.925  # the inner side of the wall that it passes
BOXES = {"box 1": (-1.2, 0.75, 0.6, 0.3, 0.0), "box 2": (1.1, 0.6, 0.4, 0.4, 0.0)}
DRUM = (0.0, 1.0, 0.2285)
SCANNED = ((2.0, 1.2, 0.5, 0.5, 0.0), (2.6, 0.0, 0.4, 0.8, 0.0), (2.2, -1.4, 0.6, 0.4, 30.0))
SCANNER_X, SCANNED_WALL_X = 0.15, 3.9
_PATIENCE_S = 120.0


def main() -> None:
    """Draw what was asked for, or both."""
    asked = sys.argv[1:] or ["ping", "scan"]
    for name in asked:
        {"ping": draw_ping, "scan": draw_scan}[name]()


def draw_ping() -> None:
    """Draw the range of an ultrasonic sensor against the odometer, past known obstacles."""
    controller = SEAR / "10_controller.py"
    with simulated(SEAR / "roomba_sensors.yaml", "--controller", str(controller)) as ports:
        names = ("create", "controller")
        rows = printed("ping_past_obstacles.py", *(wait_for(ports / name) for name in names))
    driven, range_cm = rows.T
    x = START_X + driven / 1000
    figure, axis = plt.subplots(figsize=(9, 4))
    true_x = np.linspace(x.min(), x.max(), 800)
    axis.plot(true_x, 100 * nearest(true_x), color="0.6", label="distance straight to the left")
    axis.plot(x, range_cm, ".", markersize=3, label="ultrasonic sensor, over two serial ports")
    axis.set(xlabel="odometer, from the room's middle (m)", ylabel="range (cm)", ylim=(0, 210))
    axis.grid(alpha=0.3)
    axis.legend(loc="lower left")
    saved(figure, "serial_ping.png")


def draw_scan() -> None:
    """Draw a scan of boxes before a wall, read from the port of an LMS 200."""
    with simulated(SEAR / "04_lidar.yaml") as ports:
        points = printed("06_scan_points.py", wait_for(ports / "sick"), skip=1)
    right, ahead = points.T
    figure, axis = plt.subplots(figsize=(7, 5))
    for box in SCANNED:
        axis.add_patch(Polygon(_turned(corners(*box)), closed=True, fill=False, edgecolor="0.6"))
    axis.plot([-4, 4], [SCANNED_WALL_X - SCANNER_X] * 2, color="0.6", label="boxes and wall")
    near = np.hypot(right, ahead) < 8.0
    axis.plot(right[near], ahead[near], ".", markersize=3, label="LMS 200, over its serial port")
    axis.add_patch(Circle((0, 0), 0.05, color="C1"))
    axis.set(xlabel="to the right (m)", ylabel="ahead (m)", xlim=(-4.2, 4.2), ylim=(-0.3, 4.4))
    axis.set_aspect("equal")
    axis.grid(alpha=0.3)
    axis.legend(loc="lower left")
    saved(figure, "serial_scan.png")


def nearest(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distance to the left of the robot's way to what stands there."""
    found = np.full(x.shape, WALL_Y)
    for centre, y, length, depth, _ in BOXES.values():
        found = np.where(np.abs(x - centre) < length / 2, np.minimum(found, y - depth / 2), found)
    across = DRUM[2] ** 2 - (x - DRUM[0]) ** 2
    return np.where(across > 0, DRUM[1] - np.sqrt(np.maximum(across, 0)), found)


def corners(x: float, y: float, length: float, depth: float, yaw_deg: float) -> NDArray[np.float64]:
    """Return the corners of a box on the ground."""
    flat = 0.5 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (length, depth)
    c, s = math.cos(math.radians(yaw_deg)), math.sin(math.radians(yaw_deg))
    turned: NDArray[np.float64] = flat @ np.array([[c, s], [-s, c]]) + (x, y)
    return turned


def _turned(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of the world as the scanner sees them: to the right, ahead."""
    return np.column_stack((-points[:, 1], points[:, 0] - SCANNER_X))


@contextmanager
def simulated(scenario: Path, *options: str) -> Iterator[Path]:
    """Run a scenario in real time; give the folder of its ports."""
    with tempfile.TemporaryDirectory() as cache:
        command = [sys.executable, "-m", "outrider", "run", str(scenario), "--headless"]
        run = subprocess.Popen(
            [*command, "--duration", "300", "--bridge", "serial", *options],
            env={**os.environ, "OUTRIDER_CACHE": cache},
            stdout=subprocess.DEVNULL,
        )
        try:
            yield Path(cache) / "serial"
        finally:
            run.terminate()
            run.wait()


def wait_for(port: Path) -> Path:
    """Return a port when it is there."""
    end = time.monotonic() + _PATIENCE_S
    while not port.exists():
        if time.monotonic() > end:
            raise SystemExit(f"there is no port {port}")
        time.sleep(0.1)
    return port


def printed(program: str, *ports: Path, skip: int = 0) -> NDArray[np.float64]:
    """Return the numbers that a program of the examples prints."""
    command = [sys.executable, str(SEAR / program), *map(str, ports)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=_PATIENCE_S)
    rows = done.stdout.splitlines()[skip:]
    return np.array([[float(word) for word in row.split()] for row in rows])


def saved(figure: Figure, name: str) -> None:
    """Write a picture of the docs."""
    figure.tight_layout()
    figure.savefig(IMAGES / name, dpi=100)
    print(IMAGES / name)


if __name__ == "__main__":
    main()
