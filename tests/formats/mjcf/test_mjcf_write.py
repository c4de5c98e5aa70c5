from pathlib import Path

import mujoco
import numpy as np
import pytest
from written_models import (
    ROBOTS,
    assert_same_links,
    awkward,
    links_of,
    little_world,
    robot,
    written,
)

from outrider.core.errors import FormatError
from outrider.core.frames import Pose
from outrider.formats.mjcf.read import read_mjcf
from outrider.formats.mjcf.write import write_mjcf
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box, HeightField, Mesh


def compiled(path: Path) -> tuple[mujoco.MjModel, mujoco.MjData]:
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


@pytest.mark.parametrize("name", [*ROBOTS, "awkward"])
def test_mujoco_has_the_same_masses_and_frames(name: str, tmp_path: Path) -> None:
    model = awkward() if name == "awkward" else robot(name)
    path = written(tmp_path, "robot.xml", write_mjcf(model, tmp_path / "files"))
    made, data = compiled(path)
    for link, (frame, mass, inertia) in links_of(model).items():
        body = made.body(link.split("/", 1)[1]).id
        np.testing.assert_allclose(data.xpos[body], frame[:3, 3], atol=1e-9)
        np.testing.assert_allclose(data.xmat[body].reshape(3, 3), frame[:3, :3], atol=1e-9)
        assert made.body_mass[body] == pytest.approx(mass, abs=1e-12)
        if mass:
            turn = np.empty(9)
            mujoco.mju_quat2Mat(turn, made.body_iquat[body])
            axes = turn.reshape(3, 3)
            tensor = axes @ np.diag(made.body_inertia[body]) @ axes.T
            np.testing.assert_allclose(tensor, inertia[:3], atol=1e-9)
            np.testing.assert_allclose(made.body_ipos[body], inertia[3], atol=1e-12)


def test_joints_keep_their_axes_and_figures(tmp_path: Path) -> None:
    path = written(tmp_path, "robot.xml", write_mjcf(awkward(), tmp_path / "files"))
    made, _ = compiled(path)
    turn = made.joint("turn")
    np.testing.assert_allclose(turn.axis, [0.0, 0.6, 0.8], atol=1e-15)
    np.testing.assert_allclose(turn.range, [-1.1, 2 / 3], atol=1e-15)
    assert (turn.damping[0], turn.frictionloss[0]) == (0.07, 0.3)
    assert made.joint("slide").type[0] == mujoco.mjtJoint.mjJNT_SLIDE


@pytest.mark.parametrize("name", ["jackal", "awkward"])
def test_a_robot_reads_back_the_same(name: str, tmp_path: Path) -> None:
    model = awkward() if name == "awkward" else robot(name)
    path = written(tmp_path, "robot.xml", write_mjcf(model, tmp_path / "files"))
    (again,) = read_mjcf(path).world.models
    renamed = Model(model.name, again.links, again.joints, again.pose, again.mobility)
    assert_same_links(renamed, model)


def test_a_world_keeps_its_things_where_they_are(tmp_path: Path) -> None:
    world = little_world()
    path = written(tmp_path, "world.xml", write_mjcf(world, tmp_path / "files"))
    made, data = compiled(path)
    for link, (frame, mass, _) in links_of(world).items():
        body = made.body(link).id
        np.testing.assert_allclose(data.xpos[body], frame[:3, 3], atol=1e-9)
        if mass:
            assert made.body_mass[body] == mass
    np.testing.assert_array_equal(made.opt.gravity, world.gravity)
    assert made.body_mocapid[made.body("shuttle/link").id] == 0
    assert made.nlight == 2
    field = world.models[0].links[0].visuals[0].shape
    assert isinstance(field, HeightField)
    heights = made.hfield_data.reshape(9, 12).T * made.hfield_size[0, 2] + field.heights.min()
    np.testing.assert_allclose(heights, field.heights, atol=1e-6)


def test_colliders_can_be_replaced_by_what_mujoco_can_collide(tmp_path: Path) -> None:
    halves = (Geometry(Box((0.1, 0.2, 0.1))), Geometry(Box((0.1, 0.2, 0.1)), Pose(np.ones(3))))
    text = write_mjcf(awkward(), tmp_path / "files", lambda *_: halves)
    made, _ = compiled(written(tmp_path, "robot.xml", text))
    touching = made.geom_contype != 0
    assert int(touching.sum()) == 2 * 3
    assert (made.geom_type[touching] == int(mujoco.mjtGeom.mjGEOM_BOX)).all()


def test_a_single_triangle_can_be_shown(tmp_path: Path) -> None:
    triangle = Geometry(Mesh(np.eye(3), np.array([[0, 1, 2]])))
    model = Model("t", (Link("link", None, (triangle,)),), mobility="static")
    made, _ = compiled(written(tmp_path, "t.xml", write_mjcf(model, None)))
    assert made.mesh_facenum[0] == 1


def test_a_model_without_links_is_refused() -> None:
    with pytest.raises(FormatError, match="has no links"):
        write_mjcf(World("w", (Model("empty", ()),)), None)
