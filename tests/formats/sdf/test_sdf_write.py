from pathlib import Path

import numpy as np
import pytest
from lxml import etree
from written_models import (
    ROBOTS,
    assert_same_links,
    awkward,
    library_world,
    little_world,
    robot,
    written,
)

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.elevation.write import image_error
from outrider.formats.sdf.read import read_sdf, read_sdf_model
from outrider.formats.sdf.write import write_sdf
from outrider.world.model import Joint, Link, Model, World
from outrider.world.shapes import Cone, HeightField, Mesh, Plane


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_reads_back_the_same(name: str, tmp_path: Path) -> None:
    model = robot(name)
    path = written(tmp_path, "robot.sdf", write_sdf(World("w", (model,)), tmp_path / "files"))
    (again,) = read_sdf(path).world.models
    assert_same_links(again, model)
    joints = {joint.name: joint for joint in again.joints}
    assert len(joints) == len(model.joints)
    for old in model.joints:
        new = joints[old.name]
        assert (old.kind, old.parent, old.child) == (new.kind, new.parent, new.child)
        np.testing.assert_allclose(new.axis, old.axis, atol=1e-12)
        if old.kind in ("revolute", "prismatic"):
            assert (new.lower, new.upper) == (old.lower, old.upper)
        assert (new.damping, new.friction) == (old.damping, old.friction)


def test_a_model_alone_reads_back_with_awkward_numbers(tmp_path: Path) -> None:
    model = awkward()
    path = written(tmp_path, "model.sdf", write_sdf(model, tmp_path / "files"))
    again = read_sdf_model(path).model
    assert_same_links(again, model, 1e-12)
    body = again.link("body & base")
    assert [g.material.colour for g in body.visuals] == [(0.9, 0.1, 1 / 3, 1), (0.1, 0.1, 0.7, 0.5)]
    assert {g.material.friction for g in body.colliders} == {1.1}


def test_a_world_of_every_shape_reads_back_the_same(tmp_path: Path) -> None:
    world = little_world()
    again = read_sdf(written(tmp_path, "little.sdf", write_sdf(world, tmp_path / "files"))).world
    assert_same_links(again, world)
    assert again.gravity == world.gravity
    assert again.origin == world.origin
    assert (again.ambient, again.sky) == (world.ambient, world.sky)
    np.testing.assert_allclose(again.start.matrix, world.start.matrix, atol=1e-12)
    assert [model.mobility for model in again.models] == [m.mobility for m in world.models]
    sun, bulb = again.lights
    assert (sun.kind, sun.direction, sun.intensity, sun.cast_shadows) == (
        "directional",
        (0.3, 0.2, -0.9),
        0.7,
        False,
    )
    assert (bulb.kind, bulb.position, bulb.colour, bulb.range) == (
        "point",
        (1.0, 2.0, 3.0),
        (1.0, 0.5, 0.25),
        12.0,
    )
    assert again.models[0].links[0].colliders[0].material.friction == 0.6
    assert isinstance(again.models[3].links[0].visuals[0].shape, Cone)
    assert isinstance(again.models[1].links[0].visuals[0].shape, Plane)


def test_heights_are_exact_as_a_mesh_and_close_as_an_image(tmp_path: Path) -> None:
    world = little_world()
    field = world.models[0].links[0].visuals[0].shape
    assert isinstance(field, HeightField)
    exact = read_sdf(written(tmp_path, "a.sdf", write_sdf(world, tmp_path / "a_files"))).world
    mesh = exact.models[0].links[0].visuals[0].shape
    assert isinstance(mesh, Mesh)
    np.testing.assert_array_equal(mesh.vertices[:, 2].reshape(12, 9), field.heights)
    text = write_sdf(world, tmp_path / "b_files", "image")
    close = read_sdf(written(tmp_path, "b.sdf", text)).world.models[0].links[0].visuals[0]
    assert isinstance(close.shape, HeightField)
    assert close.shape.size == field.size
    heights = close.shape.heights + close.pose.position[2]
    np.testing.assert_allclose(heights, field.heights, atol=1.01 * image_error(field))


@pytest.mark.parametrize("name", ["playground", "slope"])
def test_a_world_of_the_library_reads_back_the_same(name: str, tmp_path: Path) -> None:
    world = library_world(name)
    again = read_sdf(written(tmp_path, "w.sdf", write_sdf(world, tmp_path / "files"))).world
    assert_same_links(again, world)


def test_cones_ask_for_the_version_that_knows_them(tmp_path: Path) -> None:
    assert etree.fromstring(write_sdf(awkward(), tmp_path).encode()).get("version") == "1.9"
    assert etree.fromstring(write_sdf(little_world(), tmp_path).encode()).get("version") == "1.11"


def test_names_that_clash_and_models_without_links_are_refused() -> None:
    clash = Model("m", (Link("a"), Link("b")), (Joint("a", "fixed", "a", "b", Pose()),))
    with pytest.raises(FormatError, match="SDF allows only one 'a'"):
        write_sdf(clash, None)
    with pytest.raises(FormatError, match="has no links"):
        write_sdf(Model("empty", ()), None)
