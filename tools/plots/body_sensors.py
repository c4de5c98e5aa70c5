"""Draw the pictures of docs/sensors/{imu,gnss,compass}.md from the program itself.

Usage: python tools/plots/body_sensors.py [imu] [gnss] [compass]
"""

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

from outrider.core.frames import Array, Pose
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.sensors.catalogue import plan_sensor
from outrider.sensors.gnss.sky import Sky, above
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.vehicles.robot import load_robot
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box

mpl.use("Agg")
import matplotlib.pyplot as plt

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
SECOND = 1_000_000_000


def allan_deviation(rate: Array, dt: float, taus: Array) -> Array:
    """Return overlapping Allan deviations of samples (n, axes)."""
    angle = np.cumsum(rate, axis=0) * dt
    found = []
    for m in np.maximum(1, np.rint(taus / dt)).astype(int):
        second = angle[2 * m :] - 2 * angle[m:-m] + angle[: -2 * m]
        found.append(math.sqrt((second**2).mean() / 2) / (m * dt))
    return np.array(found)


def gyro_noise(model: str, duration_s: float) -> tuple[Array, float]:
    """Return a resting gyroscope's readings and their period."""
    ready = plan_sensor(SensorEntry("imu", model), "plot")
    dt = 1 / ready.rate_hz
    errors = ready.parameters.gyroscope.errors(np.random.default_rng(1))
    zero = np.zeros(3)
    return np.array([errors.apply(zero, dt) for _ in range(round(duration_s / dt))]), dt


def drive_over_rough_ground() -> tuple[Array, Array]:
    """Return what an ideal unit and a UM7 on a Husky read: time, forward, upward, turning."""
    entries = (
        SensorEntry("ideal", "ideal-imu", link="base_link"),
        SensorEntry("um7", "husky-um7", link="base_link", topics={"data": "um7/data"}),
    )
    world = build_world(load_world_spec("rough"))
    sim = Simulation(world, [Participant(load_robot("husky").bare(), "husky", sensors=entries)])
    readers = [sim.bus.subscribe(f"/{e.name}/data", kept="all", depth=5000) for e in entries]
    sim.run(1.0)
    for k in range(400):
        sim.robots["husky"].drive(0.8 if 50 < k < 300 else 0.0, 0.5 if k > 200 else 0.0)
        sim.run(0.01)
    return _drain(readers[0]), _drain(readers[1])


def _drain(reader: Any) -> Array:
    rows = []
    while item := reader.poll():
        time_ns, m = item
        force = m.linear_acceleration
        rows.append([time_ns * 1e-9, force.x, force.z, m.angular_velocity.z])
    return np.array(rows)


def plot_imu() -> None:
    """Draw Allan deviations of some units, and a drive."""
    figure = plt.figure(figsize=(11, 4.4))
    draw_allan(figure.add_subplot(1, 2, 1))
    upper, lower = figure.add_subplot(2, 2, 2), figure.add_subplot(2, 2, 4)
    ideal, um7 = drive_over_rough_ground()
    moving = ideal[:, 0] > 1.2
    time_s = ideal[moving, 0]
    upper.plot(time_s, ideal[moving, 2], lw=0.9, label="upward")
    upper.plot(time_s, ideal[moving, 1], lw=0.9, label="forward")
    upper.axhline(9.80665, color="k", ls=":", lw=1)
    upper.set(ylabel="m/s²", title="Specific force, a Husky on rough ground")
    lower.plot(time_s, (um7 - ideal)[moving, 2], lw=0.9, label="upward")
    lower.plot(time_s, (um7 - ideal)[moving, 1], lw=0.9, label="forward")
    lower.set(xlabel="time, s", ylabel="m/s²", title="Error of husky-um7")
    for axes in (upper, lower):
        axes.legend(fontsize=8, loc="upper right")
    save(figure, "imu")


def draw_allan(axes: Any) -> None:
    """Draw Allan deviations of resting gyroscopes; the dotted lines are the maker's figures."""
    for model in ("adis16448", "mpu6050", "imu-platt", "imu-hector"):
        noise, dt = gyro_noise(model, 1200.0)
        taus = dt * np.unique(np.rint(np.geomspace(1, 300 / dt, 30)))
        axes.loglog(taus, allan_deviation(noise, dt, taus), label=model)
    taus = np.geomspace(0.005, 300, 20)
    axes.loglog(taus, 3.394e-4 / np.sqrt(taus), "k:", lw=1, label="ADIS16448: density, walk")
    axes.loglog(taus, 3.878e-5 * np.sqrt(taus / 3), "k:", lw=1)
    axes.set(xlabel="averaging time, s", ylabel="Allan deviation, rad/s", ylim=(1e-5, 5e-2))
    axes.set_title("Gyroscopes at rest")
    axes.legend(fontsize=8)
    axes.grid(which="both", alpha=0.25)


def block(name: str, size: tuple[float, float, float], place: tuple[float, ...]) -> Model:
    """Return a box that stands somewhere."""
    geometry = Geometry(Box(size), Pose(np.array(place)))
    return Model(name, (Link("link", visuals=(geometry,)),), mobility="static")


def world_with_wall() -> World:
    """Return the empty world with a wall of 60 m, 80 m long, and a tunnel behind it."""
    world = build_world(load_world_spec("empty"))
    wall = block("wall", (80.0, 1.0, 60.0), (0.0, -3.0, 30.0))
    sides = [block(f"side{y}", (20.0, 1.0, 5.0), (60.0, y, 2.5)) for y in (-3, 3)]
    roof = block("roof", (20.0, 7.0, 0.5), (60.0, 0.0, 5.0))
    return replace(world, models=(*world.models, wall, *sides, roof))


def passing_the_wall(model: str, speed: float = 1.0) -> tuple[Array, list[int], Array]:
    """Walk a receiver past the wall: its error in metres, kind of fix, and satellites."""
    entry = SensorEntry("gnss", model, rate_hz=2.0, pose=PoseSpec(z=1.0))
    sim = Simulation(world_with_wall(), sensors=(entry,))
    gnss: Any = sim._mounting.sensors[0].sensor
    place = gnss._site.T_body_sensor.position
    rows, kinds, seen = [], [], []
    for k in range(400):
        place[:] = (-100 + speed * k / 2, 0.0, 1.0)
        gnss.sample((k + 1) * SECOND // 2)
        if gnss.quality:
            rows.append(gnss._frame.local(*gnss.position) - place)
        else:
            rows.append(np.full(3, np.nan))
        kinds.append(int(gnss.quality))
        seen.append(gnss.satellites)
    return np.array(rows), kinds, np.array(seen)


def plot_gnss() -> None:
    """Draw the sky beside a wall, and the errors of two receivers that pass it."""
    figure = plt.figure(figsize=(11, 4.2))
    sky_axes: Any = figure.add_subplot(1, 3, 1, projection="polar")
    draw_sky(sky_axes)
    along = -100 + np.arange(400) / 2
    count_axes = figure.add_subplot(1, 3, 2)
    error_axes = figure.add_subplot(1, 3, 3)
    for model, colour in (("ublox-m8", "tab:orange"), ("ublox-f9p", "tab:blue")):
        errors, kinds, seen = passing_the_wall(model)
        count_axes.plot(along, seen[:, 1], color=colour, label=f"{model}, of {seen[0, 0]}")
        off = np.linalg.norm(errors[:, :2], axis=1)
        error_axes.semilogy(along, off, color=colour, label=model)
        if model == "ublox-f9p":
            kinds_shown = ((4, "RTK fixed", "tab:green"), (5, "RTK float", "tab:red"))
            for kind, name, tick in kinds_shown:
                here = np.array(kinds) == kind
                error_axes.plot(along[here], np.full(here.sum(), 3e-3), "|", color=tick, label=name)
    for axes in (count_axes, error_axes):
        axes.axvspan(-40, 40, color="0.92", label="beside the wall")
        axes.axvspan(50, 70, color="0.75", label="tunnel")
        axes.set_xlabel("metres along the wall")
        axes.legend(fontsize=7, loc="lower left" if axes is count_axes else "upper left")
    count_axes.set(title="Satellites in sight", ylim=(0, None))
    error_axes.set(title="Horizontal error, m", ylim=(2e-3, 300))
    save(figure, "gnss")


def draw_sky(axes: Any) -> None:
    """Draw six hours of satellites over the origin, and those seen now beside the wall."""
    world = world_with_wall()
    sky = Sky(world.origin, 31, 1)
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    tracks = np.array([sky.directions(t) for t in range(0, 21600, 300)])
    for track in tracks.transpose(1, 0, 2):
        shown = np.where((track[:, 2] > 0)[:, None], track, np.nan)
        axes.plot(*_polar(shown), color="0.8", lw=0.8)
    now = sky.directions(0)
    up = now[above(now, 10.0)]
    sim = Simulation(world)
    origin = np.tile([0.0, 0.0, 1.0], (len(up), 1))
    hidden = sim.rig.scene.cast(origin, up, 1000.0, sim.state).shape >= 0
    axes.plot(*_polar(up[~hidden]), "o", color="tab:green", label="in sight")
    axes.plot(*_polar(up[hidden]), "x", color="tab:red", label="behind the wall")
    axes.set(rlim=(0, 90), yticks=[30, 60, 90], yticklabels=["60°", "30°", "0°"])
    axes.legend(fontsize=7, loc="lower left", bbox_to_anchor=(-0.2, -0.15))
    axes.set_title("The sky beside a wall in the south", fontsize=10)


def _polar(directions: Array) -> tuple[Array, Array]:
    azimuth = np.arctan2(directions[:, 0], directions[:, 1])
    return azimuth, 90 - np.degrees(np.arcsin(directions[:, 2]))


def headings(parameters: dict[str, Any], pitch_deg: float = 0.0) -> tuple[Array, Array, Array]:
    """Turn a compass about: true headings, errors against magnetic north, and field."""
    spec = PoseSpec(z=0.0, pitch_deg=-pitch_deg)
    entry = SensorEntry("compass", "ideal-compass", pose=spec, set=parameters)
    sim = Simulation(build_world(load_world_spec("empty")), sensors=(entry,))
    compass: Any = sim._mounting.sensors[0].sensor
    true = np.arange(0.0, 361.0, 2.0)
    rows = []
    for heading in true:
        yaw = math.radians(90 - heading)
        turned = Pose.from_rpy([0, 0, 0], [0, -math.radians(pitch_deg), yaw])
        compass._site.T_body_sensor.rotation[:] = turned.rotation
        compass.sample(0)
        rows.append([compass.heading_deg, *compass.field])
    found = np.array(rows)
    error = (found[:, 0] - true + compass.declination_deg + 180) % 360 - 180
    return true, error, found[:, 1:]


def plot_compass() -> None:
    """Draw what iron and tilt do to heading and field."""
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2))
    flat = {"tilt_compensated": False}
    iron = {"hard_iron": [5e-6, -3e-6, 0.0]}
    soft = {"soft_iron": [[1.2, 0.1, 0.0], [0.1, 0.9, 0.0], [0.0, 0.0, 1.0]]}
    cases: list[tuple[str, dict[str, Any], float]] = [
        ("ideal", {}, 0.0),
        ("hard iron 5, -3 µT", iron, 0.0),
        ("soft iron", soft, 0.0),
        ("two axes, nose 5° up", flat, 5.0),
    ]
    for name, parameters, pitch in cases:
        true, error, field = headings(parameters, pitch)
        left.plot(true, error, label=name)
        right.plot(field[:, 0] * 1e6, field[:, 1] * 1e6, label=name)
    left.set(xlabel="heading, degrees", ylabel="error, degrees", title="Heading")
    right.set(xlabel="field ahead, µT", ylabel="field to the left, µT", aspect="equal")
    right.set_title("Field in the compass's plane")
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    save(figure, "compass")


def save(figure: Any, name: str) -> None:
    """Write a picture."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    figure.tight_layout()
    figure.savefig(IMAGES / f"{name}.png", dpi=110)
    plt.close(figure)
    print(f"docs/images/{name}.png")


PLOTS: dict[str, Callable[[], None]] = {
    "imu": plot_imu,
    "gnss": plot_gnss,
    "compass": plot_compass,
}

if __name__ == "__main__":
    for wanted in sys.argv[1:] or PLOTS:
        PLOTS[wanted]()
