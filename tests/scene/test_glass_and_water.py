"""Light goes through what is clear, with losses, and returns from what faces it."""

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.scene.glass_and_water import FAINTEST, facets, fresnel
from outrider.scene.past_poses import PastPoses
from outrider.scene.scene import Scene
from outrider.world.assembly import assemble
from outrider.world.materials import Material, Roughness
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, Mesh, Plane
from outrider.world.state import BODY

GLASS = Material("glass", colour=(1, 1, 1, 0.3))
WATER = Material(
    "water",
    colour=(0, 0, 0.2, 0.75),
    transmits_infrared=True,
    refractive_index=1.33,
    infrared_absorption=6.8,
    facet_slope=0.09,
)
BOTTOM = Material("bottom", reflectivity=0.4)


def thing(name, shape, material, z=0.0, x=0.0):
    geometry = Geometry(shape, Pose(np.array([x, 0.0, z])), material)
    return Model(name, (Link("link", None, (geometry,)),), mobility="static")


def look(models, origin, direction, sound=False, echo="strongest"):
    scene = Scene(assemble(World("w", tuple(models))))
    direction = np.array([direction], np.float64)
    direction /= np.linalg.norm(direction)
    rays = (
        np.array([origin], np.float32),
        direction.astype(np.float32),
        np.array([100.0], np.float32),
        np.zeros(1, np.int64),
        PastPoses.of(np.zeros(0, BODY), 0),
    )
    return scene.look(*rays, by_light=not sound, echo=echo)


def room(pane):
    return [
        thing("wall", Box((1.0, 20.0, 20.0)), BOTTOM, x=8.5),
        thing("pane", Box((0.01, 2.0, 2.0)), pane, x=5.0),
    ]


SLANTED = [5.0, 0.0, 0.9]


@pytest.mark.parametrize("count", [1, 5, 30])
def test_all_of_many_panes_take_their_share(count):
    """Light was lost in the first eight faces only."""
    panes = [
        thing(f"pane_{k}", Box((0.02, 4.0, 4.0)), GLASS, x=1.0 + 0.1 * k) for k in range(count)
    ]
    found = look([room(GLASS)[0], *panes], [0, 0, 0], SLANTED)
    passed = 1.0 - fresnel(np.array([5.0 / np.hypot(5.0, 0.9)]), np.array([1.5]))[0]
    assert found.reflectivity[0] == pytest.approx(0.4 * passed ** (4 * count), rel=1e-3)


@pytest.mark.parametrize("offset", [300.0, 5000.0])
def test_a_pane_far_from_the_origin_takes_its_share_once(offset):
    """Coordinates have 24 bits: behind a face, at 3 km, a beam met the same face again."""
    direction = np.array(SLANTED) / np.linalg.norm(SLANTED)
    found = look(room(GLASS), [0, 0, 0], SLANTED)
    models = [
        thing(
            m.name,
            m.links[0].visuals[0].shape,
            m.links[0].visuals[0].material,
            x=m.links[0].visuals[0].pose.position[0] + offset,
        )
        for m in room(GLASS)
    ]
    moved = look(models, [offset, 0, 0], direction)
    assert moved.reflectivity[0] == pytest.approx(found.reflectivity[0], rel=1e-3)


def test_a_beam_goes_through_glass_and_is_weaker_by_four_faces():
    found = look(room(GLASS), [0, 0, 0], SLANTED)
    cosine = 5.0 / np.hypot(5.0, 0.9)
    assert found.distance[0] * cosine == pytest.approx(8.0, abs=1e-3)
    passed = 1 - fresnel(np.array([cosine]), np.array([1.5]))[0]
    assert found.reflectivity[0] == pytest.approx(0.4 * passed**4, rel=1e-5)


def test_glass_that_faces_the_beam_returns_it():
    assert look(room(GLASS), [0, 0, 0], [1, 0, 0]).distance[0] == pytest.approx(4.995, abs=1e-4)


@pytest.mark.parametrize(("echo", "end"), [("strongest", 4.995), ("first", 4.995), ("last", 8.0)])
def test_of_what_glass_and_what_is_behind_it_return_the_echo_asked_for_is_told(echo, end):
    assert look(room(GLASS), [0, 0, 0], [1, 0, 0], echo=echo).distance[0] == pytest.approx(end)
    alone = look(room(GLASS)[1:], [0, 0, 0], [1, 0, 0], echo=echo)
    assert alone.distance[0] == pytest.approx(4.995, abs=0.011)


@pytest.mark.parametrize("echo", ["first", "last"])
def test_glass_that_returns_too_little_to_be_found_is_no_first_echo(echo):
    found = look(room(GLASS), [0, 0, 0], SLANTED, echo=echo)
    assert found.distance[0] > 8.0
    assert found.reflectivity[0] * found.cosine[0] > FAINTEST


@pytest.mark.parametrize(("passes", "end"), [(True, 8.0), (False, 4.995)])
def test_a_material_says_whether_infrared_passes_whatever_its_opacity(passes, end):
    for opacity in (0.3, 1.0):
        pane = Material("pane", colour=(1, 1, 1, opacity), transmits_infrared=passes)
        found = look(room(pane), [0, 0, 0], SLANTED)
        assert found.distance[0] * 5.0 / np.hypot(5.0, 0.9) == pytest.approx(end, abs=1e-3)


def test_sound_is_stopped_by_glass():
    found = look(room(GLASS), [0, 0, 0], SLANTED, sound=True)
    assert found.distance[0] * 5.0 / np.hypot(5.0, 0.9) == pytest.approx(4.995, abs=1e-3)


def pond(depth):
    return [
        thing("bottom", Plane(50.0), BOTTOM, z=-depth),
        thing("water", Plane(50.0), WATER),
    ]


def test_water_straight_below_returns_the_beam_from_its_surface():
    found = look(pond(2.0), [0, 0, 1.0], [0, 0, -1])
    assert found.shape[0] >= 0
    assert found.distance[0] == pytest.approx(1.0, abs=1e-5)
    assert found.reflectivity[0] == pytest.approx(0.0201 / (4 * 0.09**2), rel=0.01)


@pytest.mark.parametrize("incidence_deg", [30.0, 60.0, 80.0, 87.0])
def test_deep_water_seen_at_an_angle_returns_nothing(incidence_deg):
    a = np.radians(incidence_deg)
    found = look(pond(0.6), [0, 0, 1.0], [np.sin(a), 0, -np.cos(a)])
    assert found.shape[0] == -1


@pytest.mark.parametrize("incidence_deg", [30.0, 60.0])
def test_the_bottom_of_a_puddle_returns_weakly_from_where_snell_says(incidence_deg):
    a, depth = np.radians(incidence_deg), 0.05
    found = look(pond(depth), [0, 0, 1.0], [np.sin(a), 0, -np.cos(a)])
    inside = np.sqrt(1 - (np.sin(a) / 1.33) ** 2)
    way = depth / inside
    assert found.distance[0] == pytest.approx(1 / np.cos(a) + 1.33 * way, abs=1e-4)
    passed = 1 - fresnel(np.array([np.cos(a)]), np.array([1.33]))[0]
    expected = 0.4 * passed**2 * np.exp(-2 * 6.8 * way)
    assert found.reflectivity[0] == pytest.approx(expected, rel=1e-3)
    assert found.cosine[0] == pytest.approx(inside, abs=1e-5)


def test_fresnel_has_the_values_of_textbooks():
    assert fresnel(np.ones(1), np.array([1.33]))[0] == pytest.approx(0.0201, abs=1e-4)
    assert fresnel(np.ones(1), np.array([1.5]))[0] == pytest.approx(0.04, abs=1e-6)
    assert fresnel(np.array([0.5]), np.array([1.5]))[0] == pytest.approx(0.0892, abs=1e-4)
    assert fresnel(np.zeros(1), np.array([1.5]))[0] == pytest.approx(1.0)


def test_facets_send_back_all_that_they_reflect():
    """Over all angles of incidence the facets of a surface that is nearly flat add up to one."""
    angle = np.linspace(0, 0.3, 20001)
    back = facets(np.full(len(angle), 1e-3), np.cos(angle), np.full(len(angle), 0.05))
    slopes = back * 4 * np.cos(angle) ** 5 / 1e-3 / np.pi  # their density, per area of slopes
    tangent = np.tan(angle)
    assert np.trapezoid(slopes * 2 * np.pi * tangent, tangent) == pytest.approx(1.0, abs=1e-3)


def test_a_scene_without_anything_clear_casts_as_ever():
    models = [thing("floor", Plane(50.0), BOTTOM)]
    light, sound = (look(models, [0, 0, 1], [1, 0, -1], sound=s) for s in (False, True))
    assert light.distance == sound.distance
    assert FAINTEST < light.reflectivity[0] == sound.reflectivity[0]


def test_roughness_is_measured_only_where_the_scene_has_a_seed():
    rough = Material("rough", roughness=Roughness(4e-3))
    models = [thing("floor", Plane(50.0), rough)]
    assert look(models, [0, 0, 1], [1, 0, -1]).distance[0] == pytest.approx(2**0.5, abs=1e-5)


def test_the_ground_is_found_below_a_sheet_of_water_that_lies_on_it():
    """Both are equally far away: the beam went on below the ground, where nothing is."""
    corners = np.array([[-9, -9, 0], [9, -9, 0], [9, 9, 0], [-9, 9, 0]], np.float64)
    sheet = Mesh(corners, np.array([[0, 1, 2], [0, 2, 3]], np.int32))
    models = [thing("floor", Plane(50.0), BOTTOM), thing("sheet", sheet, WATER)]
    for x in np.linspace(0.5, 4.0, 8):
        found = look(models, [0, 0, 1], [x, 0, -1])
        assert found.distance[0] == pytest.approx(np.hypot(x, 1.0), abs=1e-3)
        assert found.reflectivity[0] == pytest.approx(0.4)
