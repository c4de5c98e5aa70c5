"""Blocks of rays that may touch a sphere: found through groups of cones, none may be missed."""

import numpy as np
import pytest

from outrider.core.seeds import generator
from outrider.scene.cones import BLOCK, cone_meets, group_cones, make_cones, meeting


def _directions(kind: str, rays: int) -> np.ndarray:
    if kind == "strewn":
        found = generator(1, "rays").standard_normal((rays, 3))
    else:  # channels of a LiDAR, one after the other
        turn = np.tile(np.linspace(-np.pi, np.pi, rays // 16, endpoint=False), 16)
        height = np.repeat(np.tan(np.radians(np.linspace(-15, 15, 16))), rays // 16)
        found = np.stack([np.cos(turn), np.sin(turn), height], axis=1)
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    return found.astype(np.float32)


@pytest.mark.parametrize("kind", ["strewn", "channels"])
def test_groups_of_cones_find_the_same_blocks_in_the_same_order(kind):
    rays = 16 * 450
    rng = generator(2, "spheres")
    origins = rng.uniform(-0.3, 0.3, (rays, 3)).astype(np.float32)
    distance = rng.uniform(0.5, 60.0, rays).astype(np.float32)
    cones = np.empty((rays // BLOCK, 10))
    make_cones(origins, _directions(kind, rays), distance, cones)
    groups = group_cones(cones, 100)
    assert 0 < len(groups[1]) < len(cones) / 10
    few = group_cones(cones, 1)
    assert not len(few[1])
    hits = tests = 0
    for _ in range(300):
        sphere = np.append(rng.uniform(-40, 40, 3), 10.0 ** rng.uniform(-2, 1))
        truth = [b for b, cone in enumerate(cones) if cone_meets(cone, sphere)]
        for each in (groups, few):
            found = np.empty(len(cones), np.int64)
            assert found[: meeting(sphere, cones, each, found)].tolist() == truth
        hits += len(truth)
        tests += sum(cone_meets(cone, sphere) for cone in groups[1])
    assert hits > 1000
    if kind == "channels":
        assert tests < 300 * len(groups[1]) / 3
