"""An image of any world or scenario from any position: ``outrider.snapshot``."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np

from outrider.core.arguments import file_argument, number_argument, numbers_argument
from outrider.core.errors import ConfigError
from outrider.core.frames import Array, Pose
from outrider.loader.library import library_names
from outrider.render.film import Film
from outrider.render.intrinsics import Intrinsics
from outrider.render.photo_file import check_picture_name, save_photo
from outrider.render.picture import Picture
from outrider.render.renderer import make_renderer
from outrider.render.shot import T_BODY_OPTICAL, Shot, Want
from outrider.render.weather_light import weather_light
from outrider.scenarios.api import robot as participant
from outrider.scenarios.build import build
from outrider.scenarios.opening import Foreign, find_scenario, in_world, with_robot
from outrider.scenarios.overview import box_of, overview
from outrider.scenarios.scenario import PhysicsSpec, Scenario
from outrider.scenarios.session.session import Session
from outrider.sim.simulation import Simulation
from outrider.world.model import World

_SHARP = Film(samples=8)
_OVER_SHOULDER = np.array([-3.2, 1.8, 1.6])  # from what is looked at, where nothing is said
_USUAL = 0.8  # m from its middle to an end: what is as large is looked at from there, in metres
_NEAREST = 0.3  # of that
_WAYS = 8  # directions to look from
_BEFORE_WALL = 0.9
_CHEST = 0.3


def snapshot(
    of: str | Path | World | Scenario | Simulation | Session,
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
    foreign: Foreign | None = None,
) -> Picture:
    """Render an image of anything ``outrider run`` opens (after ``after_s``), or of a simulation.

    The camera looks at a point, or along a heading (``yaw_deg``) and down by ``pitch_deg``; without
    any of them, at the first robot, or where there is none, at all of the world. ``file`` may end
    in .png or .jpg, depth also in .npy (metres); depth in a .png is in millimetres, labels are its
    palette's numbers.
    """
    _check_view(what, size, eye, at)
    if file is not None:
        check_picture_name(file_argument(file, "snapshot"), what)
    yaw = 0.0 if yaw_deg is None else yaw_deg
    for name, value in {"yaw_deg": yaw, "pitch_deg": pitch_deg, "fov_deg": fov_deg}.items():
        number_argument(value, name)
    lens = Intrinsics.from_fov(size[0], size[1], fov_deg, distortion)
    of = of.simulation if isinstance(of, Session) else of
    simulation = of if isinstance(of, Simulation) else _simulation(of, robot, after_s, foreign)
    given = eye is not None or at is not None or yaw_deg is not None
    whole = None if given or simulation.rig.vehicles else overview(simulation, lens)
    body = looking(*whole) if whole else _camera(simulation, eye, at, yaw_deg, pitch_deg)
    around = weather_light(simulation.rig.scene, simulation.weather, simulation.time_ns)
    shot = Shot(
        body @ T_BODY_OPTICAL, lens, film=film, wants=frozenset([what]), weather_light=around
    )
    drawer = make_renderer(simulation.rig.scene, renderer)
    try:
        (picture,) = drawer.begin([shot], simulation.state.bodies).pictures()
    finally:
        drawer.close()
    if file is not None:
        save_photo(picture, file_argument(file, "snapshot"))
    return picture


def _check_view(
    what: str, size: object, eye: Sequence[float] | None, at: Sequence[float] | None
) -> None:
    if what not in get_args(Want):
        raise ConfigError(f"what: expected one of {', '.join(get_args(Want))}, got '{what}'")
    match size:
        case (int() | np.integer(), int() | np.integer()):
            pass  # the lens knows how large it may be
        case _:
            raise ConfigError(f"size: expected (width, height) in pixels, got {size!r}")
    for name, point in (("eye", eye), ("at", at)):
        if point is not None:
            numbers_argument(point, name, 3)


def _simulation(
    of: str | Path | World | Scenario, robot: str | None, after_s: float, foreign: Foreign | None
) -> Simulation:
    """Return what is to be seen; if nothing moves before, no engine needs to prepare for it."""
    if isinstance(of, World):
        start = of.start.position
        robots = [participant(robot, x=start[0], y=start[1])] if robot else []
        made = Simulation(of, robots, engine="mujoco" if after_s > 0 else "kinematic")
    else:
        made = build(_scenario(of, robot, after_s, foreign))
    made.run(after_s)
    return made


def _scenario(
    of: str | Path | Scenario, robot: str | None, after_s: float, foreign: Foreign | None
) -> Scenario:
    if isinstance(of, Scenario):
        found = of if robot is None else with_robot(of, robot)
    elif str(of) in library_names("worlds"):  # some have a scenario of their name
        found = in_world(str(of), robot, str(of))
    else:
        found = find_scenario(str(of), robot, (), foreign, guest=robot)
    if after_s > 0:
        return found
    return replace(found, physics=PhysicsSpec(engine="kinematic"), end=(), expect=())


def _camera(
    simulation: Simulation,
    eye: tuple[float, float, float] | None,
    at: tuple[float, float, float] | None,
    yaw_deg: float | None,
    pitch_deg: float,
) -> Pose:
    """Return where the camera's body is: x forward, z up."""
    target, scale = _subject(simulation) if at is None else (np.array(at, np.float64), 1.0)
    if eye is not None and yaw_deg is not None and at is None:
        angles = [0.0, math.radians(pitch_deg), math.radians(yaw_deg)]
        return Pose.from_rpy(eye, angles)
    place = np.array(eye, np.float64) if eye is not None else _clear(simulation, target, scale)
    return looking(place, target)


def looking(eye: Array, target: Array) -> Pose:
    """Return a pose whose x axis points from one point to another, upright."""
    x, y, z = (float(v) for v in np.asarray(target) - np.asarray(eye))
    if x == y == z == 0.0:
        raise ConfigError("the camera cannot look at its own position")
    return Pose.from_rpy(eye, [0.0, math.atan2(-z, math.hypot(x, y)), math.atan2(y, x)])


def _subject(simulation: Simulation) -> tuple[Array, float]:
    """Return what is looked at where nothing is said, and from how far: a factor."""
    if simulation.rig.vehicles:
        root = simulation.rig.vehicles[0].root
        model = simulation.rig.assembly.bodies[root].model
        movers = [part for part in simulation.rig.scene.view.movers if part.model == model]
        if not movers:
            return np.array(simulation.state.bodies[root]["position"]), 1.0
        boxes = np.array([box_of(simulation, mover) for mover in movers])
        low, high = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
        return (low + high) / 2, max(float((high - low).max()) / 2 / _USUAL, _NEAREST)
    start = simulation.rig.assembly.world.start.position
    height = simulation.rig.scene.ground_below(start[None, :], float(start[2]) + 2.0)[0]
    ground = height if np.isfinite(height) else start[2]
    return np.array([start[0], start[1], ground + _CHEST]), 1.0


def _clear(simulation: Simulation, target: Array, scale: float) -> Array:
    """Return a place behind the subject from which it is seen: inside a room, if it is in one."""
    head = target + np.array([0.0, 0.0, _CHEST * scale])  # a root may be as low as the floor
    around = (target + _turned(scale * _OVER_SHOULDER, way) for way in range(_WAYS))
    places = [_raised(simulation, head, place, scale) for place in around]
    sights = [_sight(simulation, head, place) for place in places]
    free = [place for place, seen in zip(places, sights, strict=True) if seen >= 1.0]
    if free:
        return free[0]
    best = int(np.argmax(sights))
    return np.asarray(head + _BEFORE_WALL * sights[best] * (places[best] - head))


def _turned(offset: Array, way: int) -> Array:
    angle = 2 * math.pi * way / _WAYS
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * offset[0] - s * offset[1], s * offset[0] + c * offset[1], offset[2]])


def _raised(simulation: Simulation, head: Array, place: Array, scale: float) -> Array:
    """Return a place above its ground: above a hill that hides the subject, but not a ceiling."""
    seen = _sight(simulation, head, place) >= 1.0
    top = float(place[2]) + (0.0 if seen else 5.0 * scale)
    height = float(simulation.rig.scene.ground_below(place[None, :], top)[0])
    if np.isfinite(height) and height < place[2] + 2.0 * scale:  # a hill, not a roof
        place[2] = max(place[2], height + scale)
    return place


def _sight(simulation: Simulation, target: Array, place: Array) -> float:
    """Return how far one sees from the target towards a place, as a share of the way."""
    static, away = simulation.rig.scene.view.static, place - target
    if static is None:
        return 1.0
    length = float(np.linalg.norm(away))
    rays = (target[None, :].astype(np.float32), (away / length)[None, :].astype(np.float32))
    hit = static.surface.cast(*rays, np.array([length], np.float32))
    return float(hit.distance[0]) / length if hit.shape[0] >= 0 else 1.0
