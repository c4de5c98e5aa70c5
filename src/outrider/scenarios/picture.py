"""An image of any world or scenario from any position: ``outrider.snapshot``."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array, Pose
from outrider.core.yaml_file import read_yaml
from outrider.loader.library import find_file, library_names
from outrider.render.film import Film
from outrider.render.intrinsics import Intrinsics
from outrider.render.photo_file import check_name, save_photo
from outrider.render.picture import Picture
from outrider.render.renderer import make_renderer
from outrider.render.shot import T_BODY_OPTICAL, Shot, Want
from outrider.scenarios.api import load_world
from outrider.scenarios.api import robot as participant
from outrider.scenarios.build import build
from outrider.scenarios.kinds import kind_of
from outrider.scenarios.load import load as load_scenario
from outrider.scenarios.scenario import PhysicsSpec, Scenario
from outrider.sim.simulation import Simulation
from outrider.specs.references import is_foreign
from outrider.world.model import World

_SHARP = Film(samples=8)
_OVER_SHOULDER = np.array([-3.2, 1.8, 1.6])  # m from what is looked at, where nothing is said
_CHEST = 0.3


def snapshot(
    of: str | Path | World | Scenario | Simulation,
    file: str | Path | None = None,
    *,
    eye: tuple[float, float, float] | None = None,
    at: tuple[float, float, float] | None = None,
    yaw_deg: float | None = None,
    pitch_deg: float = 0.0,
    size: tuple[int, int] = (1280, 720),
    fov_deg: float = 70.0,
    what: Want = "colour",
    robot: str | None = None,
    after_s: float = 0.0,
    film: Film = _SHARP,
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0),
    renderer: str = "auto",
) -> Picture:
    """Render an image of a world, a scenario (after ``after_s``) or a running simulation.

    The camera looks at a point, or along a heading (``yaw_deg``) and down by ``pitch_deg``; without
    any of them, at the first robot or the start. ``file`` may end in .png or .jpg, depth also in
    .npy (metres); depth in a .png is in millimetres, labels are its palette's numbers.
    """
    if file is not None:
        check_name(Path(file), what)
    lens = Intrinsics.from_fov(size[0], size[1], fov_deg, distortion)
    simulation = of if isinstance(of, Simulation) else _simulation(of, robot, after_s)
    body = _camera(simulation, eye, at, yaw_deg, pitch_deg)
    shot = Shot(body @ T_BODY_OPTICAL, lens, film=film, wants=frozenset([what]))
    drawer = make_renderer(simulation.rig.scene, renderer)
    try:
        (picture,) = drawer.begin([shot], simulation.state.bodies).pictures()
    finally:
        drawer.close()
    if file is not None:
        save_photo(picture, Path(file))
    return picture


def _simulation(of: str | Path | World | Scenario, robot: str | None, after_s: float) -> Simulation:
    """Return what is to be seen; if nothing moves before, no engine needs to prepare for it."""
    found = _read(of) if isinstance(of, str | Path) else of
    if isinstance(found, World):
        start = found.start.position
        robots = [participant(robot, x=start[0], y=start[1])] if robot else []
        made = Simulation(found, robots, engine="mujoco" if after_s > 0 else "kinematic")
    else:
        if robot is not None:
            if not found.robots:
                raise ConfigError(f"robot: scenario '{found.name}' has no robot to replace")
            entries = (replace(found.robots[0], model=robot), *found.robots[1:])
            found = replace(found, robots=entries)
        if after_s <= 0:
            found = replace(found, physics=PhysicsSpec(engine="kinematic"), end=(), expect=())
        made = build(found)
    made.run(after_s)
    return made


def _read(name: str | Path) -> World | Scenario:
    text = str(name)
    if text in library_names("worlds"):
        return load_world(text)
    path = find_file("scenarios", name)
    if is_foreign(path.name):
        return load_world(path)
    kind = kind_of(read_yaml(path), str(path))
    if kind in ("robot", "model"):
        raise ConfigError(f"{path}: a {kind} needs a world: give one, and this with --robot")
    return load_world(path) if kind == "world" else load_scenario(name)


def _camera(
    simulation: Simulation,
    eye: tuple[float, float, float] | None,
    at: tuple[float, float, float] | None,
    yaw_deg: float | None,
    pitch_deg: float,
) -> Pose:
    """Return where the camera's body is: x forward, z up."""
    target = _subject(simulation) if at is None else np.array(at, np.float64)
    if eye is not None and yaw_deg is not None and at is None:
        angles = [0.0, math.radians(pitch_deg), math.radians(yaw_deg)]
        return Pose.from_rpy(eye, angles)
    place = np.array(eye, np.float64) if eye is not None else _clear(simulation, target)
    return looking(place, target)


def looking(eye: Array, target: Array) -> Pose:
    """Return a pose whose x axis points from one point to another, upright."""
    x, y, z = (float(v) for v in np.asarray(target) - np.asarray(eye))
    if x == y == z == 0.0:
        raise ConfigError("the camera cannot look at its own position")
    return Pose.from_rpy(eye, [0.0, math.atan2(-z, math.hypot(x, y)), math.atan2(y, x)])


def _subject(simulation: Simulation) -> Array:
    """Return what is looked at where nothing is said."""
    if simulation.rig.vehicles:
        body: Any = simulation.state.bodies[simulation.rig.vehicles[0].root]
        return np.array(body["position"])
    start = simulation.rig.assembly.world.start.position
    height = simulation.rig.scene.ground_below(start[None, :], float(start[2]) + 2.0)[0]
    return np.array([start[0], start[1], (height if np.isfinite(height) else start[2]) + _CHEST])


def _clear(simulation: Simulation, target: Array) -> Array:
    """Return a place behind the subject, above the ground there."""
    place = target + _OVER_SHOULDER
    height = float(simulation.rig.scene.ground_below(place[None, :], float(place[2]) + 5.0)[0])
    if np.isfinite(height):
        place[2] = max(place[2], height + 1.0)
    return np.asarray(place)
