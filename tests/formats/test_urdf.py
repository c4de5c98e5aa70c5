"""URDF files: values by hand, frames and masses against MuJoCo's importer, and every refusal."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from outrider.core.errors import FormatError, WorldError
from outrider.core.frames import matrix_from_quaternion
from outrider.formats.urdf import (
    read_urdf,
    read_urdf_text,
    read_urdf_text_with_notes,
    read_urdf_with_notes,
)
from outrider.world.inertia import combine, moved
from outrider.world.shapes import Box, Capsule, Cylinder, Mesh, Sphere

from .mujoco_truth import frames, import_by_mujoco, mass_matrix, same_rotation

LIBRARY = Path(__file__).resolve().parents[2] / "src" / "outrider" / "library" / "robots"
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


def one_link(body, more=""):
    return f'<robot name="r"><link name="a">{body}</link>{more}</robot>'


def read(text, base="."):
    return read_urdf_text(text, Path(base), "bot.urdf")


def read_shapes(body, base="."):
    link = read(one_link(body), base).links[0]
    return [g.shape for g in (*link.visuals, *link.colliders)]


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
        "base", "tower", "upper", "plate", "slider", "wheel", "tip"
    ]  # fmt: skip
    known = {"base"}
    for joint in model.joints:
        assert joint.parent in known
        known.add(joint.child)


def test_links_without_inertial_stay_as_frames():
    model = read(ARM)
    assert model.link("tower").inertial is None
    assert model.link("base").inertial.mass == 5.0
    np.testing.assert_allclose(model.link("base").inertial.pose.rpy, [0.3, -0.4, 0.5])


def test_shapes_take_sizes_and_origins_from_the_file():
    body = (
        '<visual name="hull"><origin xyz="1 2 3"/><geometry><box size="1 2 3"/></geometry></visual>'
        '<collision><geometry><sphere radius="0.5"/></geometry></collision>'
        '<collision><geometry><cylinder radius="0.5" length="2"/></geometry></collision>'
        '<collision><geometry><capsule radius="0.5" length="2"/></geometry></collision>'
    )
    link = read(one_link(body)).links[0]
    assert link.visuals[0].shape == Box((1.0, 2.0, 3.0))
    assert link.visuals[0].name == "hull"
    assert link.visuals[0].pose.position.tolist() == [1, 2, 3]
    assert [g.shape for g in link.colliders] == [
        Sphere(0.5), Cylinder(0.5, 2.0), Capsule(0.5, 2.0)
    ]  # fmt: skip


def test_materials_are_found_by_name_wherever_they_are_defined():
    def visual(material):
        return f'<visual><geometry><sphere radius="1"/></geometry>{material}</visual>'

    text = f"""<robot name="r">
      <link name="a">
        {visual('<material name="blue"/>')}
        {visual('<material name="red"><color rgba="1 0 0 0.5"/></material>')}
        {visual('<material name=""><color rgba="0 1 0 1"/></material>')}
        {visual('<material name="nothing"/>')}
      </link>
      <link name="b">{visual('<material name="red"/>')}</link>
      <joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>
      <material name="blue"><color rgba="0 0 1 1"/></material>
      <material name="blue"><color rgba="0 0 0.9 1"/></material></robot>"""
    reading = read_urdf_text_with_notes(text, Path(), "bot.urdf")
    colours = [g.material.colour for link in reading.model.links for g in link.visuals]
    assert colours[:3] == [(0, 0, 1, 1), (1, 0, 0, 0.5), (0, 1, 0, 1)]
    assert colours[4] == (1, 0, 0, 0.5)
    assert [note.split(": ", 1)[1] for note in reading.notes] == [
        "<material name='blue'>: is defined twice; references use the first",
        "<material name='nothing'>: is not defined anywhere; the default colour is used",
    ]


def test_a_texture_becomes_a_path_and_a_missing_one_a_note(tmp_path):
    (tmp_path / "wood.png").write_bytes(b"")
    body = (
        '<visual><geometry><sphere radius="1"/></geometry>'
        '<material name="m"><texture filename="{}"/></material></visual>'
    )
    found = read(one_link(body.format("wood.png")), tmp_path)
    assert found.links[0].visuals[0].material.texture == str(tmp_path / "wood.png")
    missing = read_urdf_text_with_notes(one_link(body.format("x.png")), tmp_path)
    assert missing.model.links[0].visuals[0].material.texture == ""
    assert any("the texture was left out: there is no file 'x.png'" in n for n in missing.notes)


def test_what_is_left_out_is_noted_with_line_and_element():
    text = """<robot name="r">
      <link name="a" type="fixed"><collision><geometry><box size="0 0 0"/></geometry></collision>
      <inertial><mass value="0"/><inertia ixx="0" iyy="0" izz="0"/></inertial></link>
      <link name="b"/>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/>
        <mimic joint="k" multiplier="2"/></joint>
      <transmission name="t"/>
      <gazebo reference="a"><kp value="1e7"/></gazebo>
      <gazebo><plugin name="p"/></gazebo></robot>"""
    reading = read_urdf_text_with_notes(text, Path(), "bot.urdf")
    assert reading.model.links[0].colliders == ()
    assert reading.model.links[0].inertial is None
    for line, element in [
        (2, "<box> of <link name='a'>: has no extent"),
        (3, "<inertial> of <link name='a'>: has no mass"),
        (6, "<mimic> of <joint name='j'>"),
        (7, "<transmission name='t'>"),
        (8, "<kp>: <gazebo> extension for 'a'"),
        (9, "<plugin name='p'>"),
    ]:
        assert any(n.startswith(f"bot.urdf:{line}: {element}") for n in reading.notes), element
    assert len(reading.notes) == 6


def test_gazebo_friction_reaches_the_collision_shapes_of_its_link():
    shape = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    for tags in ('<mu1 value="0.5"/><mu2 value="0.5"/>', "<mu1>0.5</mu1>"):
        text = one_link(shape, f'<gazebo reference="a">{tags}</gazebo>')
        reading = read_urdf_text_with_notes(text, Path())
        assert reading.model.links[0].colliders[0].material.friction == 0.5
        assert reading.notes == ()


def test_a_mesh_is_read_with_its_scale_relative_to_the_file(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "tri.obj").write_text("v 0 0 0\nv 1000 0 0\nv 0 1 0\nf 1 2 3\n")
    body = '<visual><geometry><mesh filename="{}" scale="0.001 2 1"/></geometry></visual>'
    path = tmp_path / "bot.urdf"
    for name in ("meshes/tri.obj", f"file://{tmp_path}/meshes/tri.obj", "file://meshes/tri.obj"):
        path.write_text(one_link(body.format(name)))
        (visual,) = read_urdf(path).links[0].visuals
        assert isinstance(visual.shape, Mesh)
        assert visual.shape.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 2, 0]]


def test_text_with_an_encoding_of_its_own_and_a_comment_is_read():
    text = (
        '<?xml version="1.0" encoding="latin-1"?><!-- ä --><robot name="ü"><link name="a"/></robot>'
    )
    assert read(text).name == "ü"


REFUSED = [
    ("<robot", FormatError, r"bot\.urdf:1: not well-formed XML"),
    ("<sdf/>", FormatError, "expected a <robot>"),
    ("<robot><link name='a'/></robot>", FormatError, "attribute 'name' is required"),
    ("<robot name='r'/>", FormatError, r"bot\.urdf: the robot has no link"),
    ("<robot name='r'><link/></robot>", FormatError, "<link>: attribute 'name' is required"),
    (
        "<robot name='r' xmlns:x='http://www.ros.org/wiki/xacro'><x:include filename='a'/></robot>",
        FormatError,
        "this is a xacro file",
    ),
    (
        "<!DOCTYPE robot [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><robot name='&e;'/>",
        FormatError,
        "DOCTYPE|not well-formed",
    ),
    (
        "<!DOCTYPE robot [<!ENTITY e 'x'>]><robot name='r'><link name='&e;'/></robot>",
        FormatError,
        "a document type \\(DOCTYPE\\) is not allowed",
    ),
    (
        "<robot name='r'><link name='a'/>\n<link name='a'/></robot>",
        WorldError,
        r"bot\.urdf:2: <link name='a'>: two links have this name",
    ),
    ("<robot name='r'><link name='a'/><link name='b'/></robot>", WorldError, "has 2: 'a', 'b'"),
]


@pytest.mark.parametrize(("text", "error", "sentence"), REFUSED)
def test_documents_that_are_no_robot_are_refused(text, error, sentence):
    with pytest.raises(error, match=sentence):
        read(text)


def inertial(mass="1", tensor='ixx="1" iyy="1" izz="1"'):
    return f'\n<inertial><mass value="{mass}"/><inertia {tensor}/></inertial>'


BAD_LINKS = [
    (inertial("-1"), WorldError, "<inertial> of <link name='a'>: a mass cannot be negative"),
    (inertial("0"), WorldError, "the mass is zero but the inertia is not"),
    (inertial("1", 'ixx="1" iyy="1" izz="2.1"'), WorldError, "no body has this inertia"),
    (inertial("1", 'ixx="1" iyy="1" izz="0"'), WorldError, "not positive definite"),
    (inertial("1", 'ixx="1" iyy="1" izz="1" ixy="2"'), WorldError, "not positive definite"),
    (inertial("nan"), FormatError, "<mass> of <link name='a'>: value: expected a finite number"),
    (inertial("1e999"), FormatError, "expected a finite number, got '1e999'"),
    (inertial("heavy"), FormatError, "expected a finite number, got 'heavy'"),
    (inertial("1 2"), FormatError, "expected a finite number, got '1 2'"),
    (inertial("1", 'ixx="1"'), FormatError, "attribute 'iyy' is required"),
    ('\n<inertial><mass value="1"/></inertial>', FormatError, "needs a <mass> and an <inertia>"),
    (inertial() + inertial(), FormatError, "more than one <inertial>"),
    ("\n<visual/>", FormatError, "a <geometry> is required"),
    ("\n<visual><geometry/></visual>", FormatError, "expected one of <box>, .*, got nothing"),
    ("\n<visual><geometry><torus/></geometry></visual>", FormatError, "got <torus>"),
    ("\n<visual><geometry><box/></geometry></visual>", FormatError, "'size' is required"),
    ('\n<visual><geometry><box size="1 2"/></geometry></visual>', FormatError, "expected 3 finite"),
    ('\n<visual><geometry><sphere radius="-1"/></geometry></visual>', FormatError, "negative"),
    ('\n<visual><origin xyz="a b c"/><geometry><sphere radius="1"/></geometry></visual>',
     FormatError, "<origin> of <link name='a'>: xyz: expected 3 finite numbers, got 'a b c'"),
    ('\n<visual><geometry><sphere radius="1"/></geometry><material name="m">'
     '<color rgba="255 0 0 1"/></material></visual>', FormatError, "four values from 0 to 1"),
    ('\n<visual><geometry><mesh filename="x.stl" scale="0 1 1"/></geometry></visual>',
     FormatError, "cannot be scaled by zero"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "error", "sentence"), BAD_LINKS)
def test_bad_links_are_refused_with_file_line_and_element(body, error, sentence):
    with pytest.raises(error, match=rf"(?s)^bot\.urdf:2: .*{sentence}"):
        read(one_link(body))


def joint(name="j", kind="continuous", parent="a", child="b", more=""):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'\n<joint name="{name}" type="{kind}">{ends}{more}</joint>'


BAD_JOINTS = [
    (joint(kind="floating"), FormatError, "joints of type 'floating' are not supported"),
    (joint(kind="planar"), FormatError, "joints of type 'planar' are not supported"),
    (joint(kind="revolut"), FormatError, "did you mean 'revolute'"),
    (joint(kind="revolute"), FormatError, "a revolute joint needs a <limit>"),
    (joint(kind="prismatic", more='<limit lower="1" upper="0"/>'), FormatError, "above the upper"),
    (joint(parent="x"), FormatError, "<joint name='j'>: there is no link 'x' for its parent"),
    (joint(child="bb"), FormatError, r"no link 'bb' for its child \(did you mean 'b'\?\)"),
    (joint(more='<axis xyz="0 0 0"/>'), FormatError, "the axis has no direction"),
    (joint(more='<axis xyz="0 0 inf"/>'), FormatError, "expected 3 finite numbers"),
    (joint(more='<dynamics damping="-1"/>'), FormatError, "cannot be negative"),
    ('\n<joint name="j" type="fixed"><parent link="a"/></joint>', FormatError, "a <child link="),
    (joint() + joint(), WorldError, "<joint name='j'>: two joints have this name"),
    (joint() + joint("k"), WorldError, "several joints carry it: 'j', 'k'"),
    (joint() + joint("k", parent="b", child="a"), WorldError, "form a cycle"),
    (joint(parent="b"), WorldError, "joints of link 'b' form a cycle"),
]


@pytest.mark.parametrize(("joints", "error", "sentence"), BAD_JOINTS)
def test_joints_that_form_no_tree_or_make_no_sense_are_refused(joints, error, sentence):
    with pytest.raises(error, match=sentence):
        read(f'<robot name="r"><link name="a"/><link name="b"/>{joints}</robot>')


def test_a_cycle_beside_the_tree_is_refused():
    links = "".join(f'<link name="{name}"/>' for name in "abc")
    loop = joint("j", parent="b", child="c") + joint("k", parent="c", child="b")
    with pytest.raises(WorldError, match="the joints of link 'b', 'c' form a cycle"):
        read(f'<robot name="r">{links}{loop}</robot>')


def test_a_missing_or_oversized_file_is_refused(tmp_path, monkeypatch):
    with pytest.raises(FormatError, match=r"no\.urdf: cannot be read: No such file"):
        read_urdf(tmp_path / "no.urdf")
    monkeypatch.setattr("outrider.formats.xml_source.MAX_BYTES", 10)
    path = tmp_path / "big.urdf"
    path.write_text(ARM)
    with pytest.raises(FormatError, match="larger than"):
        read_urdf(path)
