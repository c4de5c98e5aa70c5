"""Joints, frames and masses of URDF files, against MuJoCo's own importer."""

from pathlib import Path

import mujoco
import numpy as np
import pytest
from lxml import etree

from outrider.core.frames import Pose, matrix_from_quaternion, multiply
from outrider.formats.urdf.read import read_urdf_text_with_notes, read_urdf_with_notes
from outrider.world.inertia import combine, moved

LIBRARY = Path(__file__).resolve().parents[3] / "src" / "outrider" / "library" / "robots"
ROBOTS = sorted(LIBRARY.glob("*/*.urdf"))

INERTIAL = (
    '<inertial><origin xyz="0.1 -0.2 0.05" rpy="0.3 -0.4 0.5"/><mass value="{mass}"/>'
    '<inertia ixx="0.4" ixy="0.02" ixz="-0.03" iyy="0.5" iyz="0.01" izz="0.3"/></inertial>'
)
ARM = f"""<?xml version="1.0" encoding="UTF-8"?>
<robot name="arm">
  <link name="base">{INERTIAL.format(mass=5)}</link>
  <link name="tower"/>
  <link name="upper">{INERTIAL.format(mass=2)}</link>
  <link name="plate">{INERTIAL.format(mass=0.7)}</link>
  <link name="slider">{INERTIAL.format(mass=1.5)}</link>
  <link name="wheel">{INERTIAL.format(mass=0.9)}</link>
  <link name="tip"/>
  <joint name="wheel_joint" type="continuous">
    <parent link="slider"/><child link="wheel"/>
    <origin xyz="0 0.1 0.2" rpy="-1.1 0.2 2.9"/><axis xyz="0 1 0" rpy="0 0 0"/>
  </joint>
  <joint name="tower_joint" type="fixed">
    <parent link="base"/><child link="tower"/><origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/>
  </joint>
  <joint name="shoulder" type="revolute">
    <parent link="tower"/><child link="upper"/>
    <origin xyz="0 0 0.4" rpy="0.5 1.2 -0.7"/><axis xyz="1 2 -2"/>
    <limit lower="-1.5" upper="2.5" effort="10" velocity="2"/>
    <dynamics damping="0.7" friction="0.2"/>
  </joint>
  <joint name="plate_joint" type="fixed">
    <parent link="upper"/><child link="plate"/><origin xyz="0.3 0 0" rpy="0 1.5707963267948966 0"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="plate"/><child link="slider"/><origin rpy="0 0 1"/>
    <limit lower="-0.1" upper="0.4" effort="1" velocity="1"/>
  </joint>
  <joint name="tip_joint" type="fixed">
    <parent link="wheel"/><child link="tip"/><origin xyz="0 0 0.05"/>
  </joint>
</robot>"""


def read(text):
    return read_urdf_text_with_notes(text, Path(), "bot.urdf").model


ANGLES = {"shoulder": 0.8, "slide": 0.23, "wheel_joint": -2.1}


def check_against_mujoco(text, model, angles):
    theirs = import_by_mujoco(text)
    data = mujoco.MjData(theirs)
    for name, value in angles.items():
        data.qpos[theirs.joint(name).qposadr[0]] = value
    mujoco.mj_forward(theirs, data)
    poses = frames(model, angles)
    for link in model.links[1:]:
        body = data.body(link.name)
        np.testing.assert_allclose(poses[link.name].position, body.xpos, atol=1e-9)
        assert same_rotation(poses[link.name].rotation, body.xquat) < 1e-9
        mass = link.inertial.mass if link.inertial else 0.0
        assert theirs.body(link.name).mass[0] == pytest.approx(mass, abs=1e-12)
    M = np.zeros((theirs.nv, theirs.nv))
    mujoco.mj_fullM(theirs, data, M)
    moving = [joint.name for joint in model.joints if joint.kind != "fixed"]
    order = [theirs.joint(name).dofadr[0] for name in moving]
    np.testing.assert_allclose(mass_matrix(model, angles), M[np.ix_(order, order)], atol=1e-9)


def test_link_frames_and_mass_matrix_equal_those_of_mujocos_importer():
    model = read(ARM)
    check_against_mujoco(ARM, model, ANGLES)
    check_against_mujoco(ARM, model, {})


def test_fixed_links_merge_to_the_mass_and_inertia_that_mujoco_gives_the_fused_body():
    model = read(ARM)
    poses = frames(model, {})
    inverse = poses["upper"].inverse()
    parts = [moved(model.link(name).inertial, inverse @ poses[name]) for name in ("upper", "plate")]
    mine, theirs = combine(parts), import_by_mujoco(ARM, fuse=True).body("upper")
    assert theirs.mass[0] == pytest.approx(mine.mass, rel=1e-12)
    np.testing.assert_allclose(theirs.ipos, mine.pose.position, atol=1e-9)
    w, x, y, z = theirs.iquat
    R = matrix_from_quaternion(np.array([x, y, z, w]))
    np.testing.assert_allclose(R @ np.diag(theirs.inertia) @ R.T, mine.inertia, atol=1e-9)


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_robots_of_the_library_read_as_mujoco_reads_them(path):
    reading = read_urdf_with_notes(path)
    assert all("effort and velocity" in note for note in reading.notes)
    moving = [joint.name for joint in reading.model.joints if joint.kind != "fixed"]
    angles = {name: 0.1 * (k + 1) for k, name in enumerate(moving)}
    check_against_mujoco(path.read_text(), reading.model, angles)


def test_joints_keep_kind_ends_axis_limits_and_dynamics():
    joints = {joint.name: joint for joint in read(ARM).joints}
    shoulder = joints["shoulder"]
    assert (shoulder.kind, shoulder.parent, shoulder.child) == ("revolute", "tower", "upper")
    assert (shoulder.lower, shoulder.upper) == (-1.5, 2.5)
    assert (shoulder.damping, shoulder.friction) == (0.7, 0.2)
    np.testing.assert_allclose(shoulder.axis, [1 / 3, 2 / 3, -2 / 3])
    assert joints["slide"].axis == (1.0, 0.0, 0.0)
    assert joints["wheel_joint"].lower == -np.inf
    assert joints["tip_joint"].kind == "fixed"


def test_links_come_with_parents_first_whatever_the_order_of_the_file():
    model = read(ARM)
    assert [link.name for link in model.links] == [
        "base",
        "tower",
        "upper",
        "plate",
        "slider",
        "wheel",
        "tip",
    ]
    known = {"base"}
    for joint in model.joints:
        assert joint.parent in known
        known.add(joint.child)


def test_links_without_inertial_stay_as_frames():
    model = read(ARM)
    assert model.link("tower").inertial is None
    assert model.link("base").inertial.mass == 5.0
    np.testing.assert_allclose(model.link("base").inertial.pose.rpy, [0.3, -0.4, 0.5])


def import_by_mujoco(text, *, fuse=False):
    """Load a URDF in MuJoCo without its shapes; frames stay apart unless ``fuse``."""
    root = etree.fromstring(text.encode())
    for tag in ("visual", "collision"):
        for element in list(root.iter(tag)):
            element.getparent().remove(element)
    for element in [*root.findall("gazebo"), *root.findall("mujoco")]:
        root.remove(element)
    # a first link with a mass would else become the world itself
    options = {"fusestatic": "true" if fuse else "false", "balanceinertia": "false"}
    etree.SubElement(etree.SubElement(root, "mujoco"), "compiler", options)
    return mujoco.MjModel.from_xml_string(etree.tostring(root).decode())


def frames(model, angles):
    """Return the pose of every link in the root, with joints at the given positions."""
    poses = {model.links[0].name: Pose()}
    for joint in model.joints:
        poses[joint.child] = poses[joint.parent] @ joint.origin @ _motion(joint, angles)
    return poses


def mass_matrix(model, angles):
    """Return M = sum of Jv^T m Jv + Jw^T I Jw over links, joints in the order of the model."""
    poses = frames(model, angles)
    moving = [joint for joint in model.joints if joint.kind != "fixed"]
    M = np.zeros((len(moving), len(moving)))
    for link in model.links:
        if link.inertial is None:
            continue
        place = poses[link.name] @ link.inertial.pose
        R = matrix_from_quaternion(place.rotation)
        Jv, Jw = _jacobian(model, moving, poses, link.name, place.position)
        M += link.inertial.mass * Jv.T @ Jv + Jw.T @ R @ link.inertial.inertia @ R.T @ Jw
    return M


def _motion(joint, angles):
    value, axis = angles.get(joint.name, 0.0), np.array(joint.axis)
    if joint.kind == "fixed":
        return Pose()
    if joint.kind == "prismatic":
        return Pose(axis * value)
    return Pose(np.zeros(3), np.array([*axis * np.sin(value / 2), np.cos(value / 2)]))


def _jacobian(model, moving, poses, link, point):
    Jv, Jw = np.zeros((3, len(moving))), np.zeros((3, len(moving)))
    above = {joint.child: joint for joint in model.joints}
    while link in above:
        joint = above[link]
        if joint.kind != "fixed":
            k = moving.index(joint)
            axis = matrix_from_quaternion(poses[joint.child].rotation) @ np.array(joint.axis)
            if joint.kind == "prismatic":
                Jv[:, k] = axis
            else:
                Jv[:, k] = np.cross(axis, point - poses[joint.child].position)
                Jw[:, k] = axis
        link = joint.parent
    return Jv, Jw


def same_rotation(a, b_wxyz):
    """Return the angle between a quaternion of ours and one of MuJoCo's, as its sine."""
    w, x, y, z = b_wxyz
    return float(np.abs(multiply(a, np.array([-x, -y, -z, w]))[:3]).max())
