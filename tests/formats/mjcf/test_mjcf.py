"""MJCF files against MuJoCo's own kinematics and masses."""

import mujoco
import numpy as np
import pytest

from outrider.core.errors import FormatError
from outrider.formats.mjcf.read import read_mjcf
from outrider.world.assembly import assemble
from outrider.world.shapes import Box, Capsule, Cylinder, HeightField, Mesh, Plane

SCENE = """<mujoco model="demo"><option gravity="0 0 -3"/>
<asset><hfield name="h" nrow="3" ncol="4" size="2 1 0.5 0.1" elevation="0 0 0 0  0 1 2 0  0 0 0 0"/>
<mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><light pos="0 0 3" dir="0 0 -1" type="directional"/><geom type="plane" size="5 5 1"/>
<geom type="hfield" hfield="h" pos="10 0 0"/>
<body name="car" pos="1 2 3" euler="10 20 30"><freejoint/>
  <geom type="box" size=".1 .2 .3" mass="2"/>
  <body name="arm" pos="0 .3 0" euler="0 90 0"><joint name="hinge" axis="0 1 0" pos="0.1 0 0"
    damping="0.3" range="-60 60" limited="true" armature="0.01" frictionloss="0.2" stiffness="5"
    springref="10"/><geom type="cylinder" size=".1 .05" mass="1" pos="0 0 .2" friction="0.4"/>
    <geom type="mesh" mesh="t" contype="0" conaffinity="0" mass="0"/>
    <body name="slider" pos="0 0 0.5"><joint name="slide" type="slide" axis="0 0 1"/>
      <geom type="capsule" size=".05 .1" mass="0.5"/></body></body></body>
<body name="post" pos="4 0 0"><geom type="capsule" size=".1 1"/></body></worldbody>
<actuator><motor joint="hinge"/></actuator></mujoco>"""


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "scene.xml"
    path.write_text(SCENE)
    return path


def test_shapes_masses_and_joints_are_those_of_the_file(scene):
    found = read_mjcf(scene)
    world, car, post = found.world.models
    assert (found.world.name, found.world.gravity) == ("demo", (0, 0, -3))
    assert [m.mobility for m in (world, car, post)] == ["static", "dynamic", "static"]
    plane, field = (g.shape for g in world.links[0].colliders)
    assert plane == Plane(10)
    assert isinstance(field, HeightField)
    assert field.size == (4, 2)
    assert field.heights[2, 1] == pytest.approx(0.5)  # the third of four columns along x
    assert car.link("car").colliders[0].shape == Box((0.2, 0.4, 0.6))
    arm = car.link("arm")
    assert arm.colliders[0].shape == Cylinder(0.1, 0.1)
    assert arm.colliders[0].material.friction == pytest.approx(0.4)
    assert isinstance(arm.visuals[1].shape, Mesh)
    assert post.links[0].colliders[0].shape == Capsule(0.1, 2)
    hinge = next(j for j in car.joints if j.name == "hinge")
    assert (hinge.lower, hinge.upper) == pytest.approx((-np.pi / 3, np.pi / 3))
    assert (hinge.damping, hinge.friction, hinge.stiffness, hinge.armature) == (0.3, 0.2, 5, 0.01)
    assert hinge.rest == pytest.approx(np.radians(10))
    assert any("actuators (1) were left out" in note for note in found.notes)


def test_frames_and_masses_agree_with_mujoco(scene):
    theirs = mujoco.MjModel.from_xml_path(str(scene))
    data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, data)
    assembly = assemble(read_mjcf(scene).world)
    total = sum(body.inertial.mass for body in assembly.bodies)
    assert total == pytest.approx(3.5)
    for name in ("car", "arm", "slider"):
        frame = assembly.frame(f"car/{name}")
        pose, body = frame.T_body_link, frame.body
        while body >= 0:
            pose, body = assembly.bodies[body].pose @ pose, assembly.bodies[body].parent
        number = mujoco.mj_name2id(theirs, mujoco.mjtObj.mjOBJ_BODY, name)
        assert pose.position == pytest.approx(data.xpos[number], abs=1e-9)
        assert pose.matrix[:3, :3] == pytest.approx(data.xmat[number].reshape(3, 3), abs=1e-9)


def test_mesh_vertices_stay_where_they_were(scene):
    car = read_mjcf(scene).world.models[1]
    geometry = car.link("arm").visuals[1]
    corners = geometry.pose.apply(geometry.shape.vertices)
    wanted = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert sorted(np.round(corners, 6).tolist()) == sorted(map(list, wanted))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<mujoco><worldbody>", "not well-formed"),
        ("<mujoco><worldbody><geom type='cube'/></worldbody></mujoco>", "MuJoCo cannot read it"),
        ("<robot name='r'/>", "expected a <mujoco>"),
        ("<mujoco><include file='/etc/passwd'/></mujoco>", "leaves the folders .* search path"),
        ("<mujoco><include file='m.xml'/></mujoco>", "includes itself"),
        (
            "<mujoco><include file='gone.xml'/></mujoco>",
            "m.xml:1: <include>: there is no file '.*gone.xml'",
        ),
        (
            (
                "<mujoco><compiler meshdir='../..'/>"
                "<asset><mesh name='a' file='x.obj'/></asset></mujoco>"
            ),
            "leaves the folders",
        ),
        ("<mujoco><asset><mesh name='a' file='gone.obj'/></asset></mujoco>", "gone.obj"),
    ],
)
def test_bad_files_are_one_sentence(tmp_path, text, message):
    path = tmp_path / "m.xml"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as error:
        read_mjcf(path)
    assert "\n" not in str(error.value)


REFERENCE = """<mujoco><worldbody><body name="base" pos="0 0 1"><freejoint/>
  <geom type="box" size=".1 .1 .1" mass="2"/><light name="head" pos="0.2 0 0" dir="1 0 0"/>
  <body name="arm" pos="0 0 .2"><joint name="hinge" axis="0 1 0" ref="30" range="0 60"
    limited="true" stiffness="5" springref="45"/><geom type="capsule" size=".02 .1"/></body></body>
  <body name="post" pos="3 0 0" euler="0 90 0"><geom type="box" size=".1 .1 1"/>
    <light name="lamp" pos="0 0 2" dir="0 0 -1"/></body></worldbody></mujoco>"""


def test_the_limits_of_a_joint_count_from_the_pose_of_the_file(tmp_path):
    path = tmp_path / "r.xml"
    path.write_text(REFERENCE)
    base = next(m for m in read_mjcf(path).world.models if m.name == "base")
    (hinge,) = base.joints
    assert np.degrees([hinge.lower, hinge.upper, hinge.rest]) == pytest.approx([-30, 30, 15])


def test_a_light_is_where_its_body_puts_it_and_moves_with_it(tmp_path):
    path = tmp_path / "r.xml"
    path.write_text(REFERENCE)
    lights = {light.name: light for light in read_mjcf(path).world.lights}
    assert lights["lamp"].position == pytest.approx((5, 0, 0))
    assert lights["lamp"].direction == pytest.approx((-1, 0, 0))
    assert (lights["head"].link, lights["head"].position) == ("base/base", (0.2, 0, 0))


def test_an_arm_on_the_world_is_not_torn_apart(tmp_path):
    """Its joints are fixed, and what hangs on them hangs on one another."""
    bodies = ""
    for k in range(4):
        bodies += (
            f'<body name="b{k}" pos=".1 .2 .3" euler="10 20 30"><joint name="j{k}" axis="0 1 0"/>'
            f'<geom name="g{k}" type="box" size=".1 .2 .3" pos=".05 0 0"/>'
        )
    path = tmp_path / "arm.xml"
    path.write_text(f"<mujoco><worldbody>{bodies}{'</body>' * 4}</worldbody></mujoco>")
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    mujoco.mj_kinematics(theirs, data)
    (part,) = assemble(read_mjcf(path).world).static
    for kind in (part.visuals, part.colliders):
        places = [geometry.pose.position for geometry in kind]
        np.testing.assert_allclose(places, data.geom_xpos, atol=1e-9)
