from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import mujoco
import numpy as np
import pytest
from written_models import ROBOTS, assert_same_links, awkward, links_of, robot, written

from outrider.core.errors import FormatError
from outrider.core.frames import Pose, quaternion_from_rpy
from outrider.formats.export_file import as_one_model
from outrider.formats.urdf.read import read_urdf, read_urdf_text_with_notes
from outrider.formats.urdf.write import lost_in_urdf, write_urdf
from outrider.formats.xml_write import exact_rpy, number
from outrider.world.model import Geometry, Inertial, Joint, Link, Model, World
from outrider.world.shapes import Box, Cone, Mesh


@pytest.mark.parametrize("name", ROBOTS)
def test_a_robot_of_the_library_reads_back_the_same(name: str, tmp_path: Path) -> None:
    model = robot(name)
    path = written(tmp_path, "robot.urdf", write_urdf(model, tmp_path / "files"))
    again = read_urdf(path)
    assert_same_links(again, model, 1e-14)
    for old, new in zip(model.joints, again.joints, strict=True):
        assert (old.name, old.kind, old.parent, old.child) == (
            new.name,
            new.kind,
            new.parent,
            new.child,
        )
        figures = ("axis", "lower", "upper", "damping", "friction")
        assert [getattr(old, f) for f in figures] == [getattr(new, f) for f in figures]
    for before, after in zip(model.links, again.links, strict=True):
        _same_shapes(before.visuals, after.visuals)
        _same_shapes(before.colliders, after.colliders)


def _same_shapes(before: tuple[Geometry, ...], after: tuple[Geometry, ...]) -> None:
    for old, new in zip(before, after, strict=True):
        np.testing.assert_allclose(new.pose.matrix, old.pose.matrix, atol=1e-14)
        assert new.material.colour == old.material.colour
        assert new.material.friction == old.material.friction
        if isinstance(old.shape, Mesh):
            assert isinstance(new.shape, Mesh)
            np.testing.assert_array_equal(new.shape.vertices, old.shape.vertices)
            np.testing.assert_array_equal(new.shape.faces, old.shape.faces)
        else:
            assert new.shape == old.shape


def test_awkward_numbers_angles_and_names_survive(tmp_path: Path) -> None:
    model = awkward()
    reading = read_urdf_text_with_notes(write_urdf(model, tmp_path / "files"), tmp_path)
    assert_same_links(reading.model, model, 1e-12)
    turn = next(joint for joint in reading.model.joints if joint.name == "turn")
    assert (turn.lower, turn.upper, turn.damping, turn.friction) == (-1.1, 2 / 3, 0.07, 0.3)
    body = reading.model.link("body & base")
    assert [g.material.colour for g in body.visuals] == [(0.9, 0.1, 1 / 3, 1), (0.1, 0.1, 0.7, 0.5)]
    surface = body.colliders[0].material
    assert surface.friction == 1.1


@pytest.mark.parametrize("name", ["jackal", "autominy"])
def test_mujoco_reads_the_same_masses_and_frames(name: str, tmp_path: Path) -> None:
    """MuJoCo's own importer is an independent reader; it merges what is fixed together."""
    model = robot(name)
    bare = replace(
        model, links=tuple(replace(link, visuals=(), colliders=()) for link in model.links)
    )
    text = write_urdf(bare, None)
    compiled = mujoco.MjModel.from_xml_string(_kept_apart(text))
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    for path, (frame, mass, _) in links_of(bare).items():
        name = path.split("/")[-1]
        if name == _root(bare):
            continue  # MuJoCo makes the root the world itself
        body = compiled.body(name).id
        np.testing.assert_allclose(data.xpos[body], frame[:3, 3], atol=1e-9, err_msg=path)
        np.testing.assert_allclose(
            data.xmat[body].reshape(3, 3), frame[:3, :3], atol=1e-9, err_msg=path
        )
        assert compiled.body_mass[body] == pytest.approx(mass, abs=1e-12)


def _root(model: Model) -> str:
    carried = {joint.child for joint in model.joints}
    return next(link.name for link in model.links if link.name not in carried)


def _kept_apart(text: str) -> str:
    """Ask MuJoCo to keep links that are fixed to each other."""
    tree = ElementTree.fromstring(text.encode())
    ElementTree.SubElement(ElementTree.SubElement(tree, "mujoco"), "compiler", fusestatic="false")
    return ElementTree.tostring(tree, encoding="unicode")


def test_roll_pitch_and_yaw_are_exact_at_any_pitch() -> None:
    random = np.random.default_rng(7)
    angles = random.uniform(-np.pi, np.pi, (400, 3))
    angles[:200, 1] = np.pi / 2 + random.choice([0, 1e-3, 1e-6, 1e-9, 1e-12, -1e-8], 200)
    for rpy in angles:
        pose = Pose(np.zeros(3), quaternion_from_rpy(*rpy))
        back = quaternion_from_rpy(*exact_rpy(pose))
        assert abs(abs(float(back @ pose.rotation)) - 1) < 1e-15
        assert min(np.abs(back - pose.rotation).max(), np.abs(back + pose.rotation).max()) < 1e-12


@pytest.mark.parametrize("value", [0.1, 1 / 3, 1e-300, -0.0, 5.0, 1e22, 2**53 + 2.0])
def test_numbers_read_back_exactly(value: float) -> None:
    assert float(number(value)) == value


def test_what_a_urdf_cannot_draw_becomes_a_mesh(tmp_path: Path) -> None:
    cone = Link("cone", None, (Geometry(Cone(0.2, 0.5)),))
    path = written(tmp_path, "cone.urdf", write_urdf(Model("c", (cone,)), tmp_path / "files"))
    shape = read_urdf(path).links[0].visuals[0].shape
    assert isinstance(shape, Mesh)
    assert float(shape.vertices[:, 2].max()) == 0.25


def test_equal_meshes_are_written_once(tmp_path: Path) -> None:
    write_urdf(robot("jackal"), tmp_path / "files")
    wheels = [path for path in (tmp_path / "files").iterdir() if "wheel" in path.name]
    assert all(path.name.startswith("front_left") for path in wheels)


def test_a_boundless_joint_stays_boundless(tmp_path: Path) -> None:
    links = (Link("a", Inertial(1, np.eye(3))), Link("b", Inertial(1, np.eye(3))))
    joint = Joint("j", "revolute", "a", "b")
    again = read_urdf(written(tmp_path, "m.urdf", write_urdf(Model("m", links, (joint,)), None)))
    assert again.joints[0].kind == "continuous"


def test_a_fixed_world_becomes_one_urdf_with_everything_in_place(tmp_path: Path) -> None:
    box = Link("link", None, (Geometry(Box((1, 2, 3))),), (Geometry(Box((1, 2, 3))),))
    places = [Pose.from_rpy([i, 2.0, 0.5], [0.1, 0.2, i]) for i in range(3)]
    models = tuple(Model(f"box{i}", (box,), (), p, "static") for i, p in enumerate(places))
    model = as_one_model(World("walls", models))
    again = read_urdf(written(tmp_path, "walls.urdf", write_urdf(model, None)))
    for i, place in enumerate(places):
        frame, *_ = links_of(again)[f"walls/box{i}/link"]
        np.testing.assert_allclose(frame, place.matrix, atol=1e-12)


def test_what_is_lost_is_told() -> None:
    model = robot("jackal")
    assert lost_in_urdf(model) == []
    moved = replace(model, pose=Pose(np.array([1.0, 0, 0])))
    assert "does not say where" in lost_in_urdf(moved)[0]


def test_a_model_that_is_no_single_robot_is_refused() -> None:
    link = (Link("a"),)
    with pytest.raises(FormatError, match="has no links"):
        write_urdf(Model("empty", ()), None)
    with pytest.raises(FormatError, match="contains other models"):
        write_urdf(Model("two", link, children=(Model("in", link),)), None)
    with pytest.raises(FormatError, match="give a folder for meshes"):
        write_urdf(robot("jackal"), None)
    with pytest.raises(FormatError, match="is not XML text"):
        write_urdf(Model("a\0b", link), None)
