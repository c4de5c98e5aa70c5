"""Things in many places and along lines, as a world's file has them."""

import os
from pathlib import Path

import numpy as np
import pytest

from outrider.core.errors import ConfigError
from outrider.core.structure import from_data
from outrider.loader.ground import ground_height
from outrider.loader.world import build_world
from outrider.props.textures.images import texture
from outrider.props.textures.wood import veneer
from outrider.specs.world import WorldSpec
from outrider.world.tessellate import bounds

HILLS = {"type": "rolling", "size": [40, 40], "height": 2.0, "wavelength": 12}


def spec_with(*things, ground=HILLS):
    return from_data(WorldSpec, {"name": "w", "ground": ground, "things": list(things)}, "w")


def test_copies_stand_on_the_ground_each_with_its_heading():
    spec = spec_with({"what": "cone", "places": [[8, 9], [-7, 6, 90]]})
    first, second = build_world(spec).models[1:]
    for model, x, y in ((first, 8, 9), (second, -7, 6)):
        assert model.pose.position == pytest.approx([x, y, ground_height(spec, x, y)])
    assert np.degrees(second.pose.rpy[2]) == pytest.approx(90.0)
    assert [first.name, second.name] == ["cone_1", "cone_2"]


def test_equal_copies_share_one_shape_and_variants_do_not():
    places = [[8, 9], [-7, 6], [3, -9]]
    same = build_world(spec_with({"what": "tree", "places": places})).models[1:]
    assert len({id(model.links[0].visuals[0].shape) for model in same}) == 1
    varied = build_world(spec_with({"what": "tree", "places": places, "variants": 2})).models[1:]
    assert len({id(model.links[0].visuals[0].shape) for model in varied}) == 2


def test_the_posts_of_a_fence_stand_on_the_hills():
    spec = spec_with({"what": "fence", "along": [[-15, -9], [0, 12], [15, 9]], "step": 2.0})
    fence = build_world(spec).models[1]
    posts = [c for c in fence.links[0].colliders if c.shape.size[0] < 0.2]
    assert len(posts) == 22
    for post in posts:
        low, _ = bounds(post.shape)
        x, y, z = post.pose.position
        assert z + low[2] == pytest.approx(ground_height(spec, x, y) - 0.45, abs=0.02)


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        ({"what": "cone", "places": [[1]]}, "expected x, y and yaw_deg"),
        ({"what": "fence", "along": [[0, 0]]}, "at least two points"),
        ({"what": "fence", "along": [[0, 0], [99, 0]]}, "no ground at x = "),
        ({"what": "fence", "along": [[0, 0], [9, 0]], "places": [[0, 0]]}, "not both"),
        ({"what": "tre"}, "did you mean 'tree'"),
        ({"what": "tree", "seed": -1}, "seed"),
    ],
)
def test_what_is_wrong_with_a_thing_is_said_in_one_sentence(thing, text):
    with pytest.raises(ConfigError, match=text):
        build_world(spec_with(thing))


def test_a_cache_that_cannot_be_written_leaves_a_texture_elsewhere(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("OUTRIDER_CACHE", str(blocked))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    kept = Path(texture(veneer, (0.5, 0.4, 0.3), 64))
    assert kept.parent == tmp_path / f"outrider-{os.getuid()}" / "textures"
