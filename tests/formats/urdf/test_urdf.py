"""URDF files: shapes, materials and notes by hand, and every refusal."""

from pathlib import Path

import numpy as np
import pytest

from outrider.core.errors import FormatError, WorldError
from outrider.formats.urdf.read import (
    read_urdf,
    read_urdf_text_with_notes,
)
from outrider.world.shapes import Box, Capsule, Cylinder, Mesh, Sphere


def one_link(body, more=""):
    return f'<robot name="r"><link name="a">{body}</link>{more}</robot>'


def read(text, base="."):
    return read_urdf_text_with_notes(text, Path(base), "bot.urdf").model


def read_shapes(body, base="."):
    link = read(one_link(body), base).links[0]
    return [g.shape for g in (*link.visuals, *link.colliders)]


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
    assert [g.shape for g in link.colliders] == [Sphere(0.5), Cylinder(0.5, 2.0), Capsule(0.5, 2.0)]


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


def test_a_colour_of_three_numbers_is_opaque_and_noted():
    paint = '<material name="m"><color rgba="1 0.5 0"/></material>'
    body = f'<visual><geometry><sphere radius="1"/></geometry>{paint}</visual>'
    reading = read_urdf_text_with_notes(one_link(body), Path(), "bot.urdf")
    (visual,) = reading.model.links[0].visuals
    assert visual.material.colour == (1.0, 0.5, 0.0, 1.0)
    assert "has no opacity" in reading.notes[0]


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
      <gazebo reference="a"><fancy value="1e7"/></gazebo>
      <gazebo reference="a"><maxVel>1</maxVel></gazebo></robot>"""
    reading = read_urdf_text_with_notes(text, Path(), "bot.urdf")
    assert reading.model.links[0].colliders == ()
    assert reading.model.links[0].inertial is None
    for line, element in [
        (2, "<box> of <link name='a'>: has no extent"),
        (3, "<inertial> of <link name='a'>: has no mass"),
        (6, "<mimic> of <joint name='j'>"),
        (7, "<transmission name='t'>"),
        (8, "<fancy>: <gazebo> extension for 'a'"),
        (9, "<maxVel>: is for Gazebo's solver"),
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


def test_gazebo_stiffness_springs_and_stillness_are_read():
    shape = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    text = f"""<robot name="r"><link name="a">{shape}</link><link name="b"/>
      <joint name="j" type="continuous"><parent link="a"/><child link="b"/></joint>
      <gazebo reference="a"><kp>1e5</kp><kd value="70"/><material>Gazebo/Orange</material></gazebo>
      <gazebo reference="j"><springStiffness>3</springStiffness>
        <springReference>-0.2</springReference></gazebo>
      <gazebo><static>true</static></gazebo></robot>"""
    model = read(text)
    surface = model.links[0].visuals[0].material
    assert (surface.stiffness, surface.damping) == (1e5, 70.0)
    assert surface.colour == (1.0, 0.51, 0.05, 1.0)
    assert (model.joints[0].stiffness, model.joints[0].rest) == (3.0, -0.2)
    assert model.mobility == "static"


def test_a_friction_no_surface_has_leaves_the_other_to_decide():
    shape = '<collision><geometry><sphere radius="1"/></geometry></collision>'
    text = one_link(shape, '<gazebo reference="a"><mu1>100</mu1><mu2>50</mu2></gazebo>')
    reading = read_urdf_text_with_notes(text, Path())
    assert reading.model.links[0].colliders[0].material.friction == 1.0
    assert "the other surface decides" in reading.notes[0]


def test_inertias_that_no_body_has_are_repaired_only_where_asked():
    inertia = '<inertia ixx="1.0" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>'
    text = one_link(f'<inertial><mass value="0.01"/>{inertia}</inertial>')
    with pytest.raises(WorldError, match="no body has this inertia"):
        read(text)
    reading = read_urdf_text_with_notes(text, Path(), repair=True)
    moments = np.linalg.eigvalsh(reading.model.links[0].inertial.inertia)
    assert moments == pytest.approx([0.01, 0.01, 0.02])
    assert reading.log[0].kind == "guessed"
    empty = text.replace("1.0", "0").replace('"0.01"/>', '"0"/>').replace('iyy="0.01"', 'iyy="0"')
    empty = empty.replace('izz="0.01"', 'izz="0"')
    found = read_urdf_text_with_notes(
        empty.replace('mass value="0"', 'mass value="2"'), Path(), repair=True
    )
    assert found.model.links[0].inertial.inertia[0, 0] > 0


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
    (inertial() + inertial("2"), FormatError, "more than one <inertial>"),
    ("\n<visual/>", FormatError, "a <geometry> is required"),
    ("\n<visual><geometry/></visual>", FormatError, "expected one of <box>, .*, got nothing"),
    ("\n<visual><geometry><torus/></geometry></visual>", FormatError, "got <torus>"),
    ("\n<visual><geometry><box/></geometry></visual>", FormatError, "'size' is required"),
    ('\n<visual><geometry><box size="1 2"/></geometry></visual>', FormatError, "expected 3 finite"),
    ('\n<visual><geometry><sphere radius="-1"/></geometry></visual>', FormatError, "negative"),
    (
        '\n<visual><origin xyz="a b c"/><geometry><sphere radius="1"/></geometry></visual>',
        FormatError,
        "<origin> of <link name='a'>: xyz: expected 3 finite numbers, got 'a b c'",
    ),
    (
        '\n<visual><geometry><sphere radius="1"/></geometry>{}</visual>'.format(
            '<material name="m"><color rgba="255 0 0 1"/></material>'
        ),
        FormatError,
        "four values from 0 to 1",
    ),
    (
        '\n<visual><geometry><mesh filename="x.stl" scale="0 1 1"/></geometry></visual>',
        FormatError,
        "cannot be scaled by zero",
    ),
]


@pytest.mark.parametrize(("body", "error", "sentence"), BAD_LINKS)
def test_bad_links_are_refused_with_file_line_and_element(body, error, sentence):
    with pytest.raises(error, match=rf"(?s)^bot\.urdf:[23]: .*{sentence}"):
        read(one_link(body))


def joint(name="j", kind="continuous", parent="a", child="b", more=""):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'\n<joint name="{name}" type="{kind}">{ends}{more}</joint>'


BAD_JOINTS = [
    (
        joint("i", "fixed", "b", "c") + joint("j", "floating", "c", "a") + '<link name="c"/>',
        FormatError,
        "joints of type 'floating' are not supported",
    ),
    (
        joint("i", "fixed", "b", "c") + joint("j", "planar", "c", "a") + '<link name="c"/>',
        FormatError,
        "joints of type 'planar' are not supported",
    ),
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
    path.write_text(one_link(""))
    with pytest.raises(FormatError, match="larger than"):
        read_urdf(path)


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_a_robot_that_floats_below_an_empty_link_is_simply_free(kind):
    text = f"""<robot name="r"><link name="world"/><link name="base"/><joint name="free"
      type="{kind}"><parent link="world"/><child link="base"/></joint></robot>"""
    reading = read_urdf_text_with_notes(text, Path())
    assert [link.name for link in reading.model.links] == ["base"]
    assert reading.model.joints == ()
    assert any("moves freely by itself" in note for note in reading.notes)
