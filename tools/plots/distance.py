"""Plots of the distance sensors, from the program itself: python tools/plots/distance.py [FOLDER].

Drives a Create past boxes of known places and depths with a PING))) that looks to its left, as in
Harris' validation of SEAR (2017), and draws range over odometer beside what geometry says.
"""

import math
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data
from outrider.loader.library import find_file
from outrider.loader.world import build_world
from outrider.sensors.distance.cone import Beam
from outrider.sensors.distance.infrared import InfraredParameters
from outrider.sensors.distance.ultrasonic import UltrasonicParameters
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry, SensorFile
from outrider.specs.world import PoseSpec, WorldSpec
from outrider.vehicles.robot import load_robot

Floats = NDArray[np.float64]
SPEED = 0.2  # m/s
LENGTH = 4.6  # m

# Obstacles to the left: from x, to x, and how far their faces are from the sensor's path.
OBSTACLES = ((0.7, 1.1, 0.8), (1.5, 1.8, 0.5), (2.0, 2.7, 1.2), (3.2, 3.4, 0.3), (3.4, 3.8, 0.6))
WALL = 1.9


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """One drive: odometer, true way and range (m) at each measurement."""

    odometer: Floats
    way: Floats
    range: Floats


def world() -> WorldSpec:
    """Return the boxes before their wall."""
    faces = [*OBSTACLES, (-3.0, 9.0, WALL)]
    objects = [
        {
            "name": f"box{k}",
            "shape": {"type": "box", "size": [end - begin, 0.5, 1.0]},
            "pose": {"x": (begin + end) / 2, "y": face + 0.25},
        }
        for k, (begin, end, face) in enumerate(faces)
    ]
    return from_data(WorldSpec, {"objects": objects}, "course")


def drive_past(seed: int = 1, **parameters: Any) -> Course:
    """Drive the course once."""
    ping = SensorEntry(
        "ping", "ping", link="base_link", pose=PoseSpec(z=0.2, yaw_deg=90.0), set=parameters
    )
    sensors = (ping, SensorEntry("counts", "create-odometer"))
    robot = Participant(load_robot("create").bare(), "create", sensors=sensors)
    sim = Simulation(build_world(world()), [robot], seed=seed)
    ranges = sim.bus.subscribe("/ping", kept="all", depth=10**5)
    odometer = sim.bus.subscribe("/odometer", kept="all", depth=10**5)
    rows, way_mm = [], 0
    while sim.robots["create"].pose.position[0] < LENGTH:
        if sim.steps % 20 == 0:
            sim.robots["create"].drive(SPEED)
        sim.step()
        while (counted := odometer.poll()) is not None:
            way_mm += counted[1].distance
        while (measured := ranges.poll()) is not None:
            rows.append((way_mm / 1000, sim.robots["create"].pose.position[0], measured[1].range))
    return Course(*np.array(rows).T)


def expected(x: float) -> float:
    """Return the range by geometry: the nearest point of a face that a cone reaches."""
    nearest = math.inf
    parameters = ultrasonic("ping")
    for begin, end, face in (*OBSTACLES, (-3.0, 9.0, WALL)):
        aside = max(begin - x, 0.0, x - end)
        angle, distance = math.degrees(math.atan2(aside, face)), math.hypot(aside, face)
        for cone in parameters.cones:
            widest = min(cone.half_angle_deg, parameters.incidence_limit_deg)
            if angle <= widest and distance <= cone.length:
                nearest = min(nearest, distance)
    return nearest


@cache
def ultrasonic(name: str) -> UltrasonicParameters:
    """Return the figures of an ultrasonic sensor of the library."""
    return from_data(UltrasonicParameters, _file(name).parameters, name)


def _file(name: str) -> SensorFile:
    return from_data(SensorFile, read_yaml(find_file("sensors", name)), name)


def plot_course(folder: Path) -> None:
    """Draw the course and its staircase."""
    from matplotlib.figure import Figure

    course = drive_past()
    figure = Figure(figsize=(9, 6.5), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=[1, 1.4])
    for begin, end, face in OBSTACLES:
        above.fill_between([begin, end], face, face + 0.5, color="0.6")
    above.fill_between([0, LENGTH], WALL, 2.1, color="0.4")
    above.annotate("", (LENGTH, 0.0), (0.0, 0.0), arrowprops={"arrowstyle": "->", "color": "C3"})
    above.text(0.02, 0.06, "path of the sensor", color="C3")
    above.set(ylabel="y (m)", ylim=(-0.1, 2.1), title="PING))) on a Create, looking to its left")
    line = np.linspace(0, LENGTH, 2000)
    below.plot(line, [expected(x) for x in line], color="0.5", lw=1, label="geometry")
    below.plot(course.odometer, course.range, ".", ms=3, color="C0", label="measured, 20 Hz")
    below.set(xlabel="odometer (m)", ylabel="range (m)", xlim=(0, LENGTH), ylim=(0, 2.1))
    below.legend(loc="lower left")
    figure.savefig(folder / "distance_staircase.png", dpi=110)


def plot_beams(folder: Path) -> None:
    """Draw where sensors of the library hear anything: a cut through their cones."""
    from matplotlib.figure import Figure

    names = ("ping", "maxbotix-ez0", "maxbotix-ez2", "maxbotix-ez4", "sonar")
    figure = Figure(figsize=(12, 4), layout="constrained")
    for axes, name in zip(figure.subplots(1, len(names)), names, strict=True):
        beam = Beam(ultrasonic(name).cones)
        ends = beam.directions * beam.lengths[:, None]
        flat = np.abs(beam.directions[:, 2]) < 0.05
        for x, y, _ in ends[flat]:
            axes.plot([0, y], [0, x], color="C0", lw=0.4, alpha=0.6)
        axes.set(title=name, aspect="equal", xlabel="m")
        reach = round(float(ends[:, 1].max()), 1)
        axes.set_xticks([-reach, reach])
    figure.savefig(folder / "distance_beams.png", dpi=110)


def plot_infrared(folder: Path) -> None:
    """Draw what the Sharp sensors give, and what a driver makes of it."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    distance = np.linspace(0.001, 1.0, 1000)
    for name in ("sharp-gp2d12", "sharp-gp2y0a21"):
        curve = from_data(InfraredParameters, _file(name).parameters, name).curve
        volts = curve.voltage(distance)
        left.plot(distance, volts, label=name)
        right.plot(distance, [curve.distance(v) for v in volts], label=name)
    left.set(xlabel="true distance (m)", ylabel="output (V)", ylim=(0, 3.5))
    left.axvspan(0, 0.1, color="0.9")
    right.plot([0, 1], [0, 1], color="0.7", lw=1)
    right.axvspan(0, 0.1, color="0.9")
    right.set(xlabel="true distance (m)", ylabel="read as (m)", xlim=(0, 1), ylim=(0, 1))
    left.legend()
    figure.savefig(folder / "distance_infrared.png", dpi=110)


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    target.mkdir(parents=True, exist_ok=True)
    for plot in (plot_course, plot_beams, plot_infrared):
        plot(target)
        print(plot.__name__)
