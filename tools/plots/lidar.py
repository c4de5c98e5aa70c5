"""Plots of the LiDAR, from the program itself: python tools/plots/lidar.py [FOLDER].

A Jackal turns in a room while its VLP-16 scans; the cloud of the playground; a beam that grazes an
edge; and how many returns come back from how far.
"""

import math
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.messages.point_cloud import cloud_records
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.vehicles.robot import load_robot
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Plane

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # after the choice of a backend

VLP = SensorEntry("velodyne", "platt-vlp16", link="mid_mount", pose=PoseSpec(z=0.1377))
POST = SensorEntry("post", "hokuyo-utm30lx", pose=PoseSpec(z=0.5))


def static(name: str, shape: Any, pose: Pose | None = None, **material: float) -> Model:
    """Return a shape that stands still."""
    geometry = Geometry(shape, pose or Pose(), Material(name=name, **material))  # type: ignore[arg-type]
    return Model(name, (Link("link", None, (geometry,), (geometry,)),), mobility="static")


def room() -> World:
    """Return four walls of 8 m."""
    walls = [
        static(f"wall{i}", Box((0.1, 8.1, 2.0)), Pose.from_rpy([x, y, 1.0], [0, 0, yaw]))
        for i, (x, y, yaw) in enumerate(
            [(4, 0, 0), (-4, 0, 0), (0, 4, math.pi / 2), (0, -4, math.pi / 2)]
        )
    ]
    return World("room", (static("ground", Plane()), *walls))


def jackal_scan(world: World, yaw_rate: float) -> tuple[Simulation, Any]:
    """Turn for a second; return the simulation and the last cloud."""
    simulation = Simulation(
        world, [Participant(load_robot("jackal").bare(), "jackal", sensors=(VLP,))]
    )
    box = simulation.bus.subscribe("/mid/points", kept="latest")
    simulation.drivers.append(
        lambda sim: sim.robots["jackal"].drive(0.0, yaw_rate) if sim.steps % 40 == 0 else None
    )
    simulation.run(1.0)
    assert box.latest is not None
    return simulation, box.latest[1]


def draw_turn(axes: Any) -> None:
    """Show the bent scan of a robot that turns, and the same points set right by their times."""
    simulation, message = jackal_scan(room(), 3.0)
    points = cloud_records(message)
    points = points[(points["ring"] == 8)]
    robot = simulation.robots["jackal"]
    rate = float(simulation.state.bodies[simulation.rig.vehicles[0].root]["angular_velocity"][2])
    local = np.stack([points["x"], points["y"]], 1).astype(float)
    yaw = robot.pose.rpy[2]
    scan_s = 0.1
    late = yaw - rate * (scan_s - points["time"].astype(float))

    def turned(angle: Any) -> Any:
        c, s = np.cos(angle), np.sin(angle)
        return np.stack([c * local[:, 0] - s * local[:, 1], s * local[:, 0] + c * local[:, 1]], 1)

    at = robot.pose.position[:2]
    one = turned(np.full(len(local), yaw - rate * scan_s)) + at
    right = turned(late) + at
    axes.plot([-3.95, 3.95, 3.95, -3.95, -3.95], [-3.95, -3.95, 3.95, 3.95, -3.95], "k-", lw=0.8)
    axes.plot(*one.T, ".", ms=2, label="as if taken at the stamp")
    axes.plot(*right.T, ".", ms=2, label="each point at its time")
    axes.set(title=f"One ring while the robot turns at {rate:.1f} rad/s", aspect="equal")
    axes.legend(loc="lower center", fontsize=8)


def draw_cloud(axes: Any) -> None:
    """Show a scan of the playground from above."""
    simulation, message = jackal_scan(build_world(load_world_spec("playground")), 0.0)
    points = cloud_records(message)
    local = np.stack([points[k] for k in "xyz"], 1).astype(float)
    pose = simulation.robots["jackal"].pose
    world = local @ matrix_from_quaternion(pose.rotation).T + pose.position
    drawn = axes.scatter(
        world[:, 0], world[:, 1], c=points["intensity"], s=1.5, cmap="viridis", vmin=0, vmax=60
    )
    axes.set(title="VLP-16 16x900 on the playground, intensity", aspect="equal")
    axes.set(xlim=(-12, 12), ylim=(-12, 12))
    plt.colorbar(drawn, ax=axes, shrink=0.8)


def standing_scan(world: World, **settings: Any) -> tuple[Any, Any]:
    """Return angles and ranges of a scanner that stands at the origin."""
    quiet = {"noise": [], "bias_sigma": 0.0, "resolution": 0.0, "range_at_10_percent": 0.0}
    entry = replace(POST, set={**quiet, **settings})
    simulation = Simulation(world, sensors=(entry,))
    box = simulation.bus.subscribe("/scan", kept="latest")
    simulation.run(0.1)
    assert box.latest is not None
    scan = box.latest[1]
    angle = scan.angle_min + np.arange(len(scan.ranges)) * scan.angle_increment
    return angle, np.array(scan.ranges)


def draw_edge(axes: Any) -> None:
    """Show what a wide beam makes of an edge."""
    near = static("near", Box((0.2, 4.0, 2.0)), Pose(np.array([3.1, 2.0, 0.5])))
    for gap, colour in ((0.4, "C0"), (1.2, "C1")):
        far = static("far", Box((0.2, 40.0, 4.0)), Pose(np.array([3.1 + gap, 0.0, 0.5])))
        for sub, style in ((0, "-"), (16, "o")):
            wide = {"divergence_mrad": 15.0, "sub_rays": sub, "pulse_m": 0.6}
            angle, ranges = standing_scan(World("edge", (near, far)), **wide)
            label = f"gap {gap} m, " + ("15 mrad" if sub else "thin beam")
            axes.plot(np.degrees(angle), ranges, style, color=colour, ms=3.5, lw=0.8, label=label)
    axes.set(title="A beam on an edge: near echoes mix, far ones do not", xlim=(-2, 2))
    axes.set(xlabel="azimuth, deg", ylabel="range, m", ylim=(2.9, 4.3))
    axes.legend(fontsize=8)


def draw_returns(axes: Any) -> None:
    """Show how many returns come back, and what the formula says."""
    for reflectivity, colour in ((0.05, "C0"), (0.1, "C1"), (0.4, "C2")):
        ranges = np.arange(3.0, 30.0, 1.5)
        shares = []
        for distance in ranges:
            wall = static(
                "wall",
                Box((0.2, 99, 99)),
                Pose(np.array([distance + 0.1, 0, 0])),
                reflectivity=reflectivity,
            )
            angle, found = standing_scan(
                World("wall", (wall,)), range_at_10_percent=12.0, samples=9000
            )
            shares.append(np.isfinite(found[np.abs(angle) < 0.1]).mean())
        margin = (reflectivity / 0.1 * (12.0 / np.linspace(3, 29, 200)) ** 2) ** 8
        axes.plot(np.linspace(3, 29, 200), margin / (1 + margin), color=colour, lw=0.8)
        axes.plot(ranges, shares, "o", color=colour, ms=4, label=f"reflectivity {reflectivity}")
    axes.set(title="Share of returns, range_at_10_percent 12 m", xlabel="range, m")
    axes.legend(fontsize=8)


def main(folder: Path) -> None:
    """Draw all four."""
    figure, axes = plt.subplots(2, 2, figsize=(11, 9.5), layout="constrained")
    draw_turn(axes[0, 0])
    draw_cloud(axes[0, 1])
    draw_edge(axes[1, 0])
    draw_returns(axes[1, 1])
    figure.savefig(folder / "lidar.png", dpi=110)
    print(f"wrote {folder / 'lidar.png'}")


if __name__ == "__main__":
    default = Path(__file__).resolve().parents[2] / "docs" / "images"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
