"""What a camera finds on Platt's paths: corners enough near by and far off, in every picture."""

import math

import numpy as np
import pytest

from outrider.core.errors import RenderError
from outrider.formats.library import load_world_spec
from outrider.formats.world_build import build_world
from outrider.scenarios.photo import snapshot
from outrider.sim.simulation import Simulation

cv2 = pytest.importorskip("cv2")

SIZE, FOV = (1024, 768), 66.0
EYE = 0.35  # m, of a Jackal's camera above the ground
FAR = 5.0  # m: what lies beyond is far


def around(x, y, radius, count):
    """Return poses on a circle, driven with the clock from its west, as scenario 7 does."""
    angles = [math.pi - 2 * math.pi * k / count for k in range(count)]
    return [
        (x + radius * math.cos(a), y + radius * math.sin(a), math.degrees(a) - 90.0) for a in angles
    ]


PATHS = {  # a few poses on the way: x, y, heading in degrees
    "hratc": [(0, 0, 45), (3.0, 1.5, 20), (-4.0, 0.0, 160), (0.0, -2.0, -70)],
    "agriculture": [(0, 0, 180), (-8.0, 8.0, 150), (-25.0, 26.0, 165), (-12.0, 20.0, -20)],
    "campus": [(0, 0, 90), (1.5, -3, -50), (20, -11, 0), (40, 0, 90)],
    # from the pond up to the pipes, and back
    "inspection": [(5, -8, 110), (2, 2, 130), (-4, 9, 100), (-4, 9, -50), (4.5, -6, -75)],
    # facing the crater, around the boulder, half way a look at it
    "lunar": [(0, 0, 0), *around(9, 0, 9, 5), (18, 0, 180)],
}
LEAST, LEAST_FAR = 300, 40  # features in a picture; among the far ones, and the near ones
LEAST_NEAR = {"campus": 100, "inspection": 300, "lunar": 300}
SLOW = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("agriculture", "campus", "inspection", "lunar")
]


@pytest.fixture(scope="module", params=["hratc", *SLOW])
def path(request):
    world = build_world(load_world_spec(request.param))
    near = LEAST_NEAR.get(request.param, LEAST_FAR)
    return Simulation(world, [], engine="kinematic"), PATHS[request.param], near


def features(simulation, place, renderer):
    """Return how many corners ORB finds nearer and farther than five metres of level ground."""
    x, y, yaw = place
    ground = simulation.rig.scene.ground_below(np.array([[x, y, 0.0]]))[0]
    picture = snapshot(
        simulation, eye=(x, y, ground + EYE), yaw_deg=yaw, size=SIZE, fov_deg=FOV,
        renderer=renderer,
    )  # fmt: skip
    grey = cv2.cvtColor(picture.colour, cv2.COLOR_RGB2GRAY)
    rows = np.array([point.pt[1] for point in cv2.ORB_create(5000).detect(grey)])
    focal = SIZE[0] / 2 / math.tan(math.radians(FOV / 2))
    edge = SIZE[1] / 2 + focal * EYE / FAR
    return int((rows > edge).sum()), int((rows <= edge).sum())


def test_orb_finds_300_features_near_and_far_along_the_path(path):
    simulation, poses, least_near = path
    for place in poses:
        near, far = features(simulation, place, "embree")
        assert near + far >= LEAST
        assert near >= least_near
        assert far >= LEAST_FAR


def test_opengl_shows_as_many(path):
    simulation, poses, least_near = path
    try:
        near, far = features(simulation, poses[1], "gl")
    except RenderError as error:
        pytest.skip(f"there is no OpenGL: {error}")
    assert near + far >= LEAST
    assert near >= least_near
    assert far >= LEAST_FAR
