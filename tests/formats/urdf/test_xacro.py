"""xacro: the true files of others against MuJoCo's URDF reader, and what is refused."""

import math
import os
import re

import mujoco
import numpy as np
import pytest
from lxml import etree

from outrider.core.errors import FormatError, WorldError
from outrider.core.frames import Pose
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.notes import Notes
from outrider.formats.urdf.description import read_robot_description
from outrider.formats.urdf.xacro_expand import expand_xacro
from outrider.world.shapes import Mesh

ROBOT = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{}</robot>'


def read(path, args=None, env=None, **more):
    return read_robot_description(path, args or {}, env or {}, **more)


def write(tmp_path, body, name="r.xacro"):
    path = tmp_path / name
    path.write_text(ROBOT.format(body))
    return path


def link_poses(model):
    carried = {joint.child: joint for joint in model.joints}

    def pose(name):
        joint = carried.get(name)
        return Pose() if joint is None else pose(joint.parent) @ joint.origin

    return {link.name: pose(link.name) for link in model.links}


def mujoco_frames(urdf):
    """Return every link's position and rotation as MuJoCo's own importer has them."""
    root = etree.fromstring(urdf.encode())
    for link in root.iter("link"):  # its mesh readers know fewer formats, and frames need none
        for tag in ("visual", "collision"):
            for element in link.findall(tag):
                link.remove(element)
    options = '<mujoco><compiler fusestatic="false" balanceinertia="true"/></mujoco>'
    root.insert(0, etree.fromstring(options))
    model = mujoco.MjModel.from_xml_string(etree.tostring(root, encoding="unicode"))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    return {
        model.body(i).name: (data.xpos[i].copy(), data.xmat[i].reshape(3, 3).copy())
        for i in range(model.nbody)
    }


@pytest.mark.parametrize(
    ("file", "args", "links"),
    [
        ("jackal_description/urdf/jackal.urdf.xacro", {}, 13),
        ("autominy_car_description/urdf/car.xacro", {"car_name": "car"}, 37),
        ("create_description/urdf/create_1.urdf.xacro", {}, 11),
        ("create_description/urdf/create_2.urdf.xacro", {}, 11),
    ],
)
def test_every_link_frame_is_where_mujoco_puts_it(shared_data, file, args, links):
    robot = read(shared_data / file, args)
    ours = link_poses(robot.model)
    theirs = mujoco_frames(robot.urdf)
    root = robot.model.links[0].name
    theirs.setdefault(root, theirs["world"])
    assert len(ours) == links
    for name, pose in ours.items():
        position, rotation = theirs[name]
        assert np.abs(pose.position - position).max() < 1e-6, name
        assert np.abs(pose.matrix[:3, :3] - rotation).max() < 1e-6, name


def test_the_true_jackal_has_its_published_figures_and_all_meshes(shared_data):
    robot = read(shared_data / "jackal_description/urdf/jackal.urdf.xacro")
    model = robot.model
    assert sum(k.inertial.mass for k in model.links if k.inertial) == pytest.approx(18.432)
    poses = link_poses(model)
    assert poses["front_left_wheel_link"].position == pytest.approx([0.131, 0.187795, 0.0345])
    assert poses["navsat_link"].position == pytest.approx([-0.18, 0.126, 0.1815])
    meshes = {
        g.shape.source.rpartition("/")[2]
        for k in model.links
        for g in k.visuals
        if isinstance(g.shape, Mesh)
    }
    assert meshes == {"jackal-base.stl", "jackal-wheel.stl", "jackal-fender.stl"}
    imu, gps = robot.sensors
    assert (imu.model, imu.link, imu.rate_hz, imu.topics) == (
        "imu-hector",
        "imu_link",
        50.0,
        {"data": "imu/data"},
    )
    assert imu.set["gyroscope"]["noise_sigma"] == 0.005
    assert (gps.model, gps.link, gps.topics["fix"]) == ("hector-gps", "navsat_link", "navsat/fix")
    assert robot.draft["drivetrain"]["track"] == pytest.approx(0.37559)
    assert robot.draft["drivetrain"]["left"] == ["front_left_wheel", "rear_left_wheel"]


@pytest.mark.parametrize(
    ("switch", "package"),
    [
        ("JACKAL_LASER", "lms1xx"),
        ("JACKAL_LASER_3D", "velodyne_description"),
        ("JACKAL_FLEA3", "pointgrey_camera_description"),
        ("JACKAL_BB2", "pointgrey_camera_description"),
    ],
)
def test_a_configuration_that_needs_an_absent_package_names_it(shared_data, switch, package):
    path = shared_data / "jackal_description/urdf/jackal.urdf.xacro"
    with pytest.raises(FormatError) as error:
        read(path, env={switch: "1"})
    assert f"'{package}'" in str(error.value)
    assert "searched" in str(error.value)
    assert str(path.parent) in str(error.value)
    assert "\n" not in str(error.value)


def test_optional_parts_follow_the_given_variables_only(shared_data, monkeypatch):
    path = shared_data / "jackal_description/urdf/jackal.urdf.xacro"
    monkeypatch.setenv("JACKAL_FRONT_ACCESSORY_FENDER", "1")
    assert len(read(path).model.links) == 13  # the process's variables are not ours
    fitted = read(path, env={"JACKAL_FRONT_ACCESSORY_FENDER": "1"})
    assert "front_fender_accessory_link" in {k.name for k in fitted.model.links}
    assert len(read_robot_description(path).model.links) == 14  # unless nobody says otherwise
    assert os.environ["JACKAL_FRONT_ACCESSORY_FENDER"] == "1"


def test_the_car_is_a_car(shared_data):
    robot = read(shared_data / "autominy_car_description/urdf/car.xacro", {"car_name": "car"})
    drive = robot.draft["drivetrain"]
    assert drive["type"] == "ackermann"
    assert drive["wheelbase"] == pytest.approx(0.255)
    assert (drive["steer_track"], drive["drive_track"]) == pytest.approx((0.16, 0.17))
    assert drive["max_steering_rad"] == pytest.approx(0.6)
    lidar = next(s for s in robot.sensors if s.link == "laser")
    assert lidar.set["samples"] == 360
    assert (lidar.set["range_min"], lidar.set["range_max"]) == (0.15, 8.0)
    cameras = {entry.model: entry for entry in robot.sensors if "camera" in entry.model}
    colour, depth = cameras["camera"], cameras["depth-camera"]
    assert colour.set["hfov_deg"] == pytest.approx(math.degrees(0.95417536656506718))
    assert (colour.set["width"], colour.set["height"], colour.set["noise"]) == (640, 480, 0.01)
    assert colour.topics["image"] == "sensors/camera/color/image_raw"
    assert (colour.pose.z, colour.rate_hz) == (0.02, 15)
    assert colour.pose.pitch_deg == pytest.approx(math.degrees(0.25))
    assert depth.topics["depth"] == "sensors/camera/depth/image_rect_raw"
    assert (depth.set["depth_min"], depth.set["depth_max"]) == (0.05, 15.0)
    with pytest.raises(FormatError, match=r"the argument 'car_name' has no value: give car_name:="):
        read(shared_data / "autominy_car_description/urdf/car.xacro")


def test_the_create_is_driven_by_its_plugin_and_slides_on_its_castor(shared_data):
    robot = read(shared_data / "create_description/urdf/create_2.urdf.xacro")
    drive = robot.draft["drivetrain"]
    assert drive["left"] == ["left_wheel_joint"]
    assert (drive["track"], drive["wheel_radius"]) == pytest.approx((0.235, 0.036))
    assert robot.draft["motor"]["torque_nm"] == 1.0
    (castor,) = robot.draft["castors"]  # its file says mu 0
    assert castor == {"link": "front_wheel_link", "radius": 0.018, "friction": 0.0}
    assert robot.draft["odometry"] == {"frame": "odom", "child_frame": "base_footprint"}
    assert sum("no body has the principal moments" in note for note in robot.notes) == 2


def test_arguments_scale_the_obstacle_world(shared_data):
    path = shared_data / "cpr_obstacle_gazebo/urdf/obstacle_geometry.urdf.xacro"
    for scale in (1.0, 3.0):
        model = read(path, {"world_scale": str(scale)}).model
        mesh = model.links[0].visuals[0]
        size = np.ptp(mesh.shape.vertices, axis=0)
        assert size == pytest.approx([12.3 * scale, 8.3 * scale, 2.59], abs=0.05)
        assert mesh.pose.position == pytest.approx([-2, -1, 0])
        assert model.mobility == "static"
    ground = read(path, {"walls": "false"}).model.links[0].visuals[0].shape
    assert len(ground.faces) == 492


def test_agriculture_is_read_without_its_absent_accessories(shared_data):
    path = shared_data / "cpr_agriculture_gazebo/urdf/agriculture_geometry.urdf.xacro"
    with pytest.raises(FormatError, match="there is no package 'cpr_accessories_gazebo'"):
        read(path)
    robot = read(path, lenient=True)
    (link,) = robot.model.links
    assert sum(len(g.shape.faces) for g in link.visuals) == 17_820
    corners = np.concatenate([g.pose.apply(g.shape.vertices) for g in link.visuals])
    assert corners.min(axis=0) == pytest.approx([-83.6, -100.7, -4.8], abs=0.1)
    assert corners.max(axis=0) == pytest.approx([36.4, 59.3, 13.3], abs=0.1)
    walls = [g for g in link.visuals if "PlanksWornRed" in g.material.texture]
    barn = np.concatenate([g.pose.apply(g.shape.vertices) for g in walls])
    middle = (barn.min(axis=0) + barn.max(axis=0)) / 2
    assert middle[:2] == pytest.approx([1.5, -20.6], abs=0.5)
    assert sum("cpr_accessories_gazebo" in str(n) for n in robot.log if n.kind == "missing") == 3


def test_macros_conditions_blocks_and_files_of_parameters_are_expanded(tmp_path):
    (tmp_path / "sizes.yaml").write_text("width: 0.5\n")
    body = """
      <xacro:arg name="count" default="2"/>
      <xacro:property name="w" value="${xacro.load_yaml('sizes.yaml')['width']}"/>
      <xacro:macro name="leg" params="name size:=1.0 *origin"><link name="${name}">
        <visual><xacro:insert_block name="origin"/><geometry><box size="${size} ${w} ${2*w}"/>
        </geometry></visual></link></xacro:macro>
      <xacro:if value="${int('$(arg count)') > 1}">
        <xacro:leg name="a" size="$(eval 1 + 2)"><origin xyz="1 0 0"/></xacro:leg></xacro:if>
      <xacro:unless value="$(optenv ABSENT 0)"><xacro:property name="x" value="1"/></xacro:unless>
    """
    (visual,) = read(write(tmp_path, body)).model.links[0].visuals
    assert visual.shape.size == (3.0, 0.5, 1.0)
    assert visual.pose.position.tolist() == [1, 0, 0]


def test_an_address_in_an_absent_package_matters_only_if_it_is_opened(tmp_path):
    text = '<link name="a"/><gazebo><plugin name="p"><file>$(find gone)/x</file></plugin></gazebo>'
    assert any("'gone'" in note for note in read(write(tmp_path, text)).notes)
    shape = '<visual><geometry><mesh filename="file://$(find gone)/a.dae"/></geometry></visual>'
    path = write(tmp_path, f'<link name="a">{shape}</link>')
    with pytest.raises(FormatError, match=r"gone/a.dae'; searched"):
        read(path)
    assert read(path, lenient=True).model.links[0].visuals == ()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("${nothing}", "name 'nothing' is not defined"),
        ("<xacro:nobody/>", "unknown macro name: xacro:nobody"),
        ("$(env NOT_THERE)", "the environment variable NOT_THERE is not set"),
        ('<xacro:include filename="not_there.xacro"/>', "cannot be read"),
        ('<xacro:include filename="r.xacro"/>', "without end"),
        ('<xacro:include filename="/etc/passwd"/>', "outside the folders that may be read"),
        ('<xacro:include filename="../../x.xacro"/>', "outside the folders|cannot be read"),
        ("${xacro.load_yaml('/etc/passwd')}", "outside the folders that may be read"),
        ('<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>', "without end"),
        ("${(lambda: ().__class__)()}", "may not use '.__class__'"),
        ("${(x for x in []).gi_frame}", "may not use '.gi_frame'"),
        ('<link name="$(eval [].gi_frame)"/>', "may not use '.gi_frame'"),
        ("${9**9**9}", "is too large"),
        ("${1 +}", "is not an expression"),
        ('<xacro:if value="maybe"/>', "not a boolean"),
    ],
)
def test_bad_macros_are_one_sentence_with_the_file(tmp_path, body, message):
    path = write(tmp_path / "", f'<link name="a">{body}</link>')
    with pytest.raises(FormatError, match=message) as error:
        read(path)
    assert "r.xacro" in str(error.value) or "x.xacro" in str(error.value)
    assert "\n" not in str(error.value)


def test_entity_bombs_are_refused_in_included_files_too(tmp_path):
    bomb = '<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><robot>&b;</robot>'
    (tmp_path / "bomb.xacro").write_text(bomb)
    path = write(tmp_path, '<xacro:include filename="bomb.xacro"/>')
    with pytest.raises(FormatError, match="DOCTYPE"):
        read(path)
    with pytest.raises(FormatError, match="DOCTYPE"):
        read(tmp_path / "bomb.xacro")


def test_xacro_itself_is_left_as_it_was(tmp_path):
    import xacro

    before = (xacro.parse, xacro.safe_eval, xacro.substitution_args._eval_find, xacro.root_dir)
    expand_xacro(write(tmp_path, '<link name="a"/>'), {}, {}, AssetPaths(tmp_path), Notes())
    with pytest.raises(FormatError):
        read(write(tmp_path, "${nothing}"))
    after = (xacro.parse, xacro.safe_eval, xacro.substitution_args._eval_find, xacro.root_dir)
    assert before == after
    assert not hasattr(xacro, "open") or xacro.open is open


def test_macro_calls_without_their_prefix_are_taken_as_old_files_mean_them(tmp_path):
    (tmp_path / "part.xacro").write_text(
        ROBOT.format('<xacro:macro name="eye" params="n"><link name="${n}"/></xacro:macro>')
    )
    path = tmp_path / "r.xacro"
    path.write_text(ROBOT.format('<xacro:include filename="part.xacro"/><eye n="left"/>'))
    robot = read(path)
    assert [link.name for link in robot.model.links] == ["left"]
    assert any("<eye> is taken as <xacro:eye>" in note for note in robot.notes)


def test_a_name_that_is_not_defined_is_told_with_file_and_line(tmp_path):
    (tmp_path / "part.xacro").write_text(
        ROBOT.format(
            '<xacro:macro name="box" params="n">\n<link name="${n}"/>\n<mass value="${mass}"/>\n'
            "</xacro:macro>"
        )
    )
    path = tmp_path / "r.xacro"
    path.write_text(ROBOT.format('<xacro:include filename="part.xacro"/><xacro:box n="a"/>'))
    with pytest.raises(FormatError, match=r"part\.xacro:3: in macro 'box': name 'mass' is not"):
        read(path)


BASE = '<link name="base"/><xacro:include filename="$(find arm_parts)/arm.xacro"/>'
GRIPPER = """<link name="gripper"/><link name="finger"/>
<joint name="mount" type="fixed"><parent link="arm_tool"/><child link="gripper"/></joint>
<joint name="grip" type="fixed"><parent link="gripper"/><child link="finger"/></joint>"""


def test_what_hangs_from_an_accessory_of_a_missing_package_is_left_out_with_it(tmp_path):
    path = write(tmp_path, BASE + GRIPPER)
    robot = read(path, lenient=True)
    assert [link.name for link in robot.model.links] == ["base"]
    lost = "<joint name='mount'>: was left out with link 'gripper' and 1 more below it: there is no"
    assert any(f"{path}:2: {lost} link 'arm_tool'" in note for note in robot.notes)
    assert any(f"{path}:1: there is no package 'arm_parts'" in note for note in robot.notes)


def test_a_link_that_a_missing_package_would_have_joined_is_left_out(tmp_path):
    joint = '<joint name="{1}" type="fixed"><parent link="{0}"/><child link="{1}"/></joint>'
    links = "".join(f'<link name="{name}"/>' for name in ("wheel", "rim", "hand", "finger"))
    ends = (("base", "wheel"), ("wheel", "rim"), ("hand", "finger"))
    path = write(tmp_path, BASE + links + "".join(joint.format(*pair) for pair in ends))
    found = read(path, lenient=True)
    assert [link.name for link in found.model.links] == ["base", "wheel", "rim"]
    lost = "<link name='hand'>: was left out and 1 more below it: nothing joins it to 'base'"
    (note,) = [note for note in found.notes if lost in note]
    assert note.startswith(f"{path}:1: ")
    assert note.endswith(" a package is missing: 'arm_parts'")
    alone = write(tmp_path, '<link name="base"/><link name="loose"/>')
    with pytest.raises(WorldError, match="one root link, this one has 2"):
        read(alone, lenient=True)


CALLING = (
    '<link name="base"/>\n<xacro:macro name="pair" params="n">\n{}\n</xacro:macro>\n'
    '<xacro:pair n="a"/>'
)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            '<xacro:arm n="${n}"/>',
            r":3: <xacro:arm> is not defined: there is no package 'arm_parts'",
        ),
        ('<xacro:leg n="${n}"/>', r":3: in macro 'pair': unknown macro name: xacro:leg"),
    ],
)
def test_a_macro_that_is_not_there_is_told_with_the_line_of_its_call(tmp_path, call, sentence):
    absent = '<xacro:include filename="$(find arm_parts)/arm.xacro"/>' if "arm" in call else ""
    path = write(tmp_path, absent + CALLING.format(call))
    with pytest.raises(FormatError, match=re.escape(str(path)) + sentence):
        read(path)
    if absent:
        notes = read(path, lenient=True).notes
        assert any(re.match(re.escape(str(path)) + sentence, note) for note in notes)


def test_a_robot_that_lacks_only_its_world_link_is_kept(tmp_path):
    urdf = '<joint name="j" type="fixed"><parent link="map"/><child link="base"/></joint>'
    robot = read(write(tmp_path, '<link name="base"/>' + urdf), lenient=True)
    assert [link.name for link in robot.model.links] == ["base"]


@pytest.mark.parametrize("rest", [GRIPPER, '<link name="loose"/>'])
def test_a_robot_that_falls_apart_names_the_package_that_is_missing(tmp_path, rest):
    with pytest.raises(FormatError, match="packages that were not found: 'arm_parts'"):
        read(write(tmp_path, BASE + rest))


def test_notes_cite_the_lines_that_the_user_wrote(tmp_path):
    part = '\n\n<xacro:macro name="part" params="n">\n<link name="${n}"><odd/></link></xacro:macro>'
    included = write(tmp_path, part, "part.xacro")
    body = (
        '\n<xacro:include filename="part.xacro"/>\n<xacro:part n="a"/>\n<link name="b"><even/>'
        '</link>\n<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    )
    path = write(tmp_path, body)
    robot = read(path)
    assert any(note.startswith(f"{included}:4: <odd>") for note in robot.notes)
    assert any(note.startswith(f"{path}:4: <even>") for note in robot.notes)
    assert "outrider-place" not in robot.urdf


def test_an_argument_that_no_file_asks_for_is_told_with_the_name_meant(tmp_path, caplog):
    body = """<xacro:arg name="lidar" default="true"/><link name="a"/>
      <xacro:if value="$(arg lidar)"><link name="$(arg top)"/>
      <joint name="j" type="fixed"><parent link="a"/><child link="$(arg top)"/></joint>
      </xacro:if>"""
    path = write(tmp_path, body)
    read(path, {"lidar": "true", "top": "b"})
    assert not caplog.records
    found = read(path, {"lidr": "false", "top": "b"})
    assert {link.name for link in found.model.links} == {"a", "b"}
    (told,) = (record.getMessage() for record in caplog.records)
    assert told == (
        "the argument 'lidr' has no effect: r.xacro has none of that name (did you mean 'lidar'?)"
    )
    assert any(told in str(note) for note in found.log)


def test_an_unknown_substitution_is_told_once_and_without_pythons_classes(tmp_path):
    with pytest.raises(FormatError) as refused:
        read(write(tmp_path, '<link name="$(anon car)"/>'))
    assert str(refused.value).count("Unknown substitution command [anon car]") == 1
    assert "<class" not in str(refused.value)


def test_xacros_own_tags_without_their_prefix_are_taken_as_old_files_mean_them(tmp_path):
    (tmp_path / "parts.xacro").write_text(
        "<robot><property name='n' value='3'/><macro name='part' params='name *at'>"
        "<if value='${n > 2}'><link name='${name}'/></if><unless value='1'><link name='no'/>"
        "</unless><joint name='${name}_j' type='fixed'><parent link='base'/>"
        "<child link='${name}'/><insert_block name='at'/></joint></macro></robot>"
    )
    plugin = "<gazebo><plugin name='p' filename='libx.so'><property name='a'/></plugin></gazebo>"
    path = tmp_path / "bot.xacro"
    path.write_text(
        ROBOT.format(
            "<include filename='parts.xacro'/><link name='base'/>"
            f"<part name='arm'><origin xyz='1 2 3'/></part>{plugin}"
        )
    )
    robot = read(path)
    assert [link.name for link in robot.model.links] == ["base", "arm"]
    assert robot.model.joints[0].origin.position.tolist() == [1.0, 2.0, 3.0]
    assert any("<include> is taken as <xacro:include>" in note for note in robot.notes)
    assert any('<property name="a"' in text for text in robot.raw)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("{a}", "it only defines macros ('a'); give a file that uses them"),
        ("{a}{b}<xacro:if value='0'><xacro:a/></xacro:if>", "it only defines macros ('a', 'b');"),
        ("{a}{b}{c}", "it only defines macros ('a', 'b' and 1 more);"),
        (
            "{a}<xacro:include filename='$(find lost)/b.xacro'/>",
            "('a'); give a file that uses them; packages that were not found: 'lost'",
        ),
    ],
)
def test_a_file_that_only_defines_macros_is_told_as_such(tmp_path, body, sentence):
    macros = {n: f"<xacro:macro name='{n}'><link name='{n}'/></xacro:macro>" for n in "abc"}
    path = write(tmp_path, body.format(**macros))
    with pytest.raises(FormatError, match=re.escape(sentence)) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: the robot has no link: ")
    assert read(write(tmp_path, macros["a"] + "<xacro:a/>")).model.links[0].name == "a"


def test_macros_that_are_used_and_make_no_link_are_not_blamed(tmp_path):
    path = write(tmp_path, "<xacro:macro name='a'><material name='m'/></xacro:macro><xacro:a/>")
    with pytest.raises(FormatError, match=r"the robot has no link$"):
        read(path)


def test_a_pattern_finds_what_may_be_read_and_does_not_tell_what_else_there_is(tmp_path):
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    (home / "part_1.xacro").write_text(ROBOT.format('<link name="a"/>'))
    (home / "part_2.xacro").symlink_to(other / "there.xacro")
    (other / "there.xacro").write_text(ROBOT.format('<link name="b"/>'))
    found = read(write(home, '<xacro:include filename="part_*.xacro"/>'))
    assert [link.name for link in found.model.links] == ["a"]
    for asked in ("there", "absent"):
        with pytest.raises(FormatError) as refused:
            read(write(home, f'<xacro:include filename="{other}/{asked}*"/>'))
        assert f"'{other}/{asked}*' lies outside the folders" in str(refused.value)
