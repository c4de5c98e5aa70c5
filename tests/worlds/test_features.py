"""What a camera finds on the paths of five worlds: corners enough near by and far off."""

import pytest

from outrider.bench.features import LEAST, LEAST_EACH, PATHS, counts, poses
from outrider.core.errors import RenderError

pytest.importorskip("cv2")

PICTURES = 6  # of all that ``outrider bench features`` takes, evenly along the path
NEAR = {"campus": 100, "inspection": 300, "lunar": 300}  # where more than the least are near by
WORLDS = [name if name == "hratc" else pytest.param(name, marks=pytest.mark.slow) for name in PATHS]


def enough(name, found):
    for near, far in found:
        assert near + far >= LEAST
        assert near >= NEAR.get(name, LEAST_EACH)
        assert far >= LEAST_EACH


@pytest.mark.parametrize("name", WORLDS)
def test_orb_finds_300_features_near_and_far_along_the_path(name):
    places = poses(name, every=3.0)
    enough(name, counts(name, places[:: max(1, len(places) // PICTURES)]))


@pytest.mark.parametrize("name", WORLDS)
def test_opengl_shows_as_many(name):
    try:
        enough(name, counts(name, poses(name, every=3.0)[1:2], "gl"))
    except RenderError as error:
        pytest.skip(f"there is no OpenGL: {error}")
