"""The count of places that look alike: of a small world, only places on its ground count."""

import numpy as np
from render_rig import scene_of, static
from tools.ground_repetition import SIDE_M, places

from outrider.world.shapes import Box


def test_all_pictures_show_ground_from_edge_to_edge():
    field = static("field", Box((80.0, 40.0, 1.0)), x=20.0)
    found = places(scene_of(field), seed=1, count=6)
    assert len(found) == 6
    assert (np.abs(found - [20.0, 0.0]) <= np.array([40.0, 20.0]) - SIDE_M / 2).all()
