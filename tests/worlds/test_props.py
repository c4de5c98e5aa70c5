"""Props: the right size, made again byte for byte, seen where they are bumped into."""

import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import parse_yaml
from outrider.core.structure import from_data
from outrider.loader.world import build_world
from outrider.props.prop import make
from outrider.props.registry import PROPS, maker
from outrider.props.textures.images import texture
from outrider.props.textures.leaves import BROAD, BUSH, OLIVE, PINE, twig
from outrider.props.textures.outline import outline
from outrider.specs.world import WorldSpec
from outrider.world.tessellate import bounds, tessellate

NAMES = list(PROPS)


def extent(geometry):
    corners = [g.pose.apply(tessellate(g.shape).vertices) for g in geometry]
    points = np.concatenate(corners)
    return points.min(axis=0), points.max(axis=0)


def triangles(prop):
    return sum(len(g.shape.faces) for g in prop.visuals)


def made(what, seed=1, **parameters):
    return make(maker(what), what, seed, parameters, "test")


@pytest.mark.parametrize("what", NAMES)
def test_a_prop_is_made_again_byte_for_byte(what):
    first, second = made(what), made(what)
    for a, b in zip(first.visuals, second.visuals, strict=True):
        assert a.shape.vertices.tobytes() == b.shape.vertices.tobytes()
        assert a.shape.faces.tobytes() == b.shape.faces.tobytes()
        assert a.material == b.material


@pytest.mark.parametrize("what", NAMES)
def test_a_prop_is_seen_where_it_is_bumped_into(what):
    prop = made(what)
    assert prop.colliders or what == "grass"
    low, high = extent(prop.visuals)
    for collider in prop.colliders:
        a, b = extent([collider])
        assert (a > low - 0.3).all()
        assert (b < high + 0.3).all()


@pytest.mark.parametrize("what", NAMES)
def test_every_surface_has_texture_coordinates_and_no_triangle_without_area(what):
    for geometry in made(what).visuals:
        mesh = geometry.shape
        a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
        assert np.linalg.norm(np.cross(b - a, c - a), axis=1).min() > 0
        assert mesh.uv.shape == (len(mesh.vertices), 2)


@pytest.mark.parametrize("species", ["olive", "broadleaf", "pine"])
def test_a_tree_has_its_height_spread_and_triangles(species):
    tree = made("tree", seed=3, species=species, height=6.0, spread=4.0, triangles=1200)
    low, high = extent(tree.visuals)
    assert high[2] == pytest.approx(6.0, abs=0.01)
    assert (high - low)[:2].mean() == pytest.approx(4.0, abs=0.15)
    assert triangles(tree) == pytest.approx(1200, abs=2)


def test_leaves_are_cut_out_and_give_way_but_wood_does_not():
    bark, leaves = made("tree").visuals
    assert leaves.material.soft
    assert not bark.material.soft
    assert all(not c.material.soft for c in made("tree").colliders)


def test_other_seeds_make_other_trees():
    first, second = (made("tree", seed=seed).visuals[0].shape.vertices for seed in (1, 2))
    assert not np.array_equal(first, second)


def test_the_barn_and_the_panel_have_the_sizes_of_the_originals():
    low, high = extent(made("barn").visuals)
    assert high - [low[0], low[1], 0.0] == pytest.approx([21.1, 31.6, 13.7], abs=0.15)
    low, high = extent(made("solar_panel").visuals)
    assert high - [low[0], low[1], 0.0] == pytest.approx([6.2, 3.5, 2.8], abs=0.1)


def test_the_barn_can_be_entered_through_its_door_only():
    walls = [(*bounds(c.shape), c.pose.position) for c in made("barn").colliders]
    at_front = [low + p for low, high, p in walls if p[1] > 15 and high[2] > 1]
    assert not any(low[0] < 0 < low[0] + 5 for low in at_front)


@pytest.mark.parametrize(
    ("what", "parameters", "text"),
    [
        ("tree", {"species": "palm"}, "species must be one of olive"),
        ("tree", {"triangles": 3}, "at least 300"),
        ("tree", {"hight": 3}, "did you mean 'height'"),
        ("fence", {"points": [[0, 0, 0]]}, "at least two"),
        ("building", {"storeys": 99}, "1 to 40 storeys"),
        ("wall", {"doors": [9.0]}, "must lie inside it"),
    ],
)
def test_what_cannot_be_made_is_said_in_one_sentence(what, parameters, text):
    with pytest.raises(ConfigError, match=text):
        made(what, **parameters)


def test_the_world_of_the_props_page_can_be_built_and_all_props_are_listed():
    text = (Path(__file__).resolve().parents[2] / "docs" / "props.md").read_text(encoding="utf-8")
    example = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)[0]
    world = build_world(from_data(WorldSpec, parse_yaml(example, "page"), "page"))
    names = {model.name for model in world.models}
    assert {"olive_1", "olive_2", "olive_3", "barn_1", "fence_1"} <= names
    assert [name for name in NAMES if f"`{name}`" not in text] == []


@pytest.mark.parametrize("kind", [OLIVE, BROAD, PINE, BUSH])
def test_a_leaf_cards_outline_holds_its_picture_and_little_else(kind):
    path = texture(twig, kind)
    corners = outline(path)
    solid = np.asarray(Image.open(path))[..., 3] > 0
    row, column = np.nonzero(solid)
    places = np.stack([(column + 0.5) / 384, 1 - (row + 0.5) / 384], axis=1)
    sides = np.roll(corners, -1, axis=0) - corners
    inward = np.stack([-sides[:, 1], sides[:, 0]], axis=1)
    assert (((places[:, None] - corners) * inward).sum(axis=-1) >= 0).all()
    x, y = corners.T
    assert 0.3 < (x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2 < 0.75
    assert np.abs(corners - 0.5).max() < 0.56
