"""What a camera finds on Platt's paths: corners enough near by and far off, in every picture."""

import math

import numpy as np
import pytest

from outrider.formats.library import load_world_spec
from outrider.formats.world_build import build_world
from outrider.scenarios.photo import snapshot
from outrider.sim.simulation import Simulation

cv2 = pytest.importorskip("cv2")

SIZE, FOV = (1024, 768), 66.0
EYE = 0.35  # m, of a Jackal's camera above the ground
PATHS = {  # a few poses on the way: x, y, heading in degrees
    "hratc": [(0, 0, 45), (3.0, 1.5, 20), (-4.0, 0.0, 160), (0.0, -2.0, -70)],
    "agriculture": [(0, 0, 180), (-8.0, 8.0, 150), (-25.0, 26.0, 165), (-12.0, 20.0, -20)],
    "campus": [(0, 0, 90), (1.5, -3, -50), (20, -11, 0), (40, 0, 90)],
}
LEAST, LEAST_FAR = 300, 40  # features in a picture; among the far ones
LEAST_NEAR = {"campus": 5}  # a bare sidewalk, the sparse one in the thesis, too


SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in ("agriculture", "campus")]


@pytest.fixture(scope="module", params=["hratc", *SLOW])
def path(request):
    world = build_world(load_world_spec(request.param))
    near = LEAST_NEAR.get(request.param, LEAST_FAR)
    return Simulation(world, [], engine="kinematic"), PATHS[request.param], near


def test_orb_finds_300_features_near_and_far_along_the_path(path):
    simulation, poses, near = path
    orb = cv2.ORB_create(5000)
    for x, y, yaw in poses:
        ground = simulation.rig.scene.ground_below(np.array([[x, y, 0.0]]), 3.0)[0]
        picture = snapshot(
            simulation, eye=(x, y, ground + EYE), yaw_deg=yaw, size=SIZE, fov_deg=FOV,
            renderer="embree",
        )  # fmt: skip
        grey = cv2.cvtColor(picture.colour, cv2.COLOR_RGB2GRAY)
        rows = np.array([point.pt[1] for point in orb.detect(grey)])
        focal = SIZE[0] / 2 / math.tan(math.radians(FOV / 2))
        five_metres = SIZE[1] / 2 + focal * EYE / 5.0  # where level ground is so far off
        assert len(rows) >= LEAST
        assert (rows > five_metres).sum() >= near
        assert (rows <= five_metres).sum() >= LEAST_FAR
