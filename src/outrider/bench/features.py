"""Features: how many ORB finds in a Jackal's view along a path in five worlds."""

import math
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np

from outrider.bench.measurement import Measurement, middle
from outrider.core.frames import Array, Pose
from outrider.render.film import Film
from outrider.render.intrinsics import Intrinsics
from outrider.render.renderer import Renderer, make_renderer
from outrider.render.shot import T_BODY_OPTICAL, Shot
from outrider.scenarios.api import load_world
from outrider.scenarios.load import load
from outrider.scenarios.scenario import Waypoints
from outrider.sim.simulation import Simulation

PATHS = ("hratc", "agriculture", "campus", "inspection", "lunar")
LEAST, LEAST_EACH = 300, 40  # features in a picture; of them near, and of them far
LENS = Intrinsics.from_fov(1024, 768, 66.0)
NEAR = 5.0  # m
EYE = 0.35  # m, of a Jackal's camera above the ground
_EVERY = 3.0  # m between two pictures
_MOST = 100_000  # more than there are: strong far ones shall not push weak near ones out


class Features:
    """Features along the scenarios ``hratc-path``, ``agriculture-path``, ..."""

    def __call__(self) -> Iterator[Measurement]:
        """Go along each path; without OpenCV there is nothing that could find features."""
        if find_spec("cv2") is None:
            return
        for name in PATHS:
            yield from _rows(name, np.array(counts(name, poses(name, _EVERY))))


def _rows(name: str, found: Array) -> Iterator[Measurement]:
    """Return the fewest of all pictures; the spread is that between pictures."""
    kinds = (("all", found.sum(axis=1), LEAST), ("near", found[:, 0], LEAST_EACH))
    for kind, values, least in (*kinds, ("far", found[:, 1], LEAST_EACH)):
        text = f"{name}, {len(found)} pictures, fewest, {kind}"
        spread = middle(values.tolist())[1]
        yield Measurement(text, float(values.min()), "features", "higher", spread, limit=least)


def poses(name: str, every: float) -> list[tuple[float, float, float]]:
    """Return x, y and heading in degrees each so many metres along a world's path."""
    scenario = load(f"{name}-path")
    motion = scenario.robots[0].motion
    assert isinstance(motion, Waypoints)
    start = load_world(name).start.position
    points = [(float(start[0]), float(start[1])), *motion.points]
    found: list[tuple[float, float, float]] = []
    for (x, y), (to_x, to_y) in pairwise(points):
        parts = max(1, round(math.dist((x, y), (to_x, to_y)) / every))
        yaw = math.degrees(math.atan2(to_y - y, to_x - x))
        shares = [k / parts for k in range(parts)]
        found += [(x + (to_x - x) * share, y + (to_y - y) * share, yaw) for share in shares]
    return found


def counts(
    name: str, places: list[tuple[float, float, float]], renderer: str = "embree"
) -> list[tuple[int, int]]:
    """Return how many features ORB finds nearer and farther than five metres at each place."""
    simulation = Simulation(load_world(name), [], engine="kinematic")
    with closing(make_renderer(simulation.rig.scene, renderer)) as drawer:
        return [_count(simulation, drawer, place) for place in places]


def _count(
    simulation: Simulation, drawer: Renderer, place: tuple[float, float, float]
) -> tuple[int, int]:
    import cv2

    x, y, yaw = place
    top = float(simulation.rig.assembly.world.start.position[2]) + 1.5  # below branches
    ground = simulation.rig.scene.ground_below(np.array([[x, y]]), top)[0]
    body = Pose.from_rpy([x, y, float(ground) + EYE], [0.0, 0.0, math.radians(yaw)])
    wants: Any = frozenset(["colour", "depth"])
    shot = Shot(body @ T_BODY_OPTICAL, LENS, film=Film(samples=8), wants=wants)
    (picture,) = drawer.begin([shot], simulation.state.bodies).pictures()
    assert picture.colour is not None
    assert picture.depth is not None
    grey = cv2.cvtColor(picture.colour, cv2.COLOR_RGB2GRAY)
    corners = cv2.ORB.create(_MOST).detect(grey)
    columns, rows = np.array([point.pt for point in corners]).reshape(-1, 2).round().astype(int).T
    depth = picture.depth[rows, columns]
    near = int(((depth > 0) & (depth < NEAR)).sum())
    return near, len(corners) - near
