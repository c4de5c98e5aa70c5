"""Descriptions as others publish them: what ROS and Bullet accept is read, with a note."""

import sys

import numpy as np
import pytest

from outrider.cli.main import main
from outrider.core.errors import FormatError, WorldError
from outrider.formats.import_file import import_file
from outrider.formats.urdf.read import read_urdf_text_with_notes
from outrider.scenarios.build import build
from outrider.scenarios.opening import find_scenario

INERTIAL = '<inertial><mass value="{mass}"/>{inertia}</inertial>'
TENSOR = '<inertia ixx="{}" iyy="{}" izz="{}" ixy="{}" ixz="{}" iyz="{}"/>'


@pytest.fixture
def read(tmp_path):
    def read(text):
        path = tmp_path / "bot.urdf"
        path.write_text(text)
        return import_file(path)

    return read


def weighing(inertia, mass=0.142):
    inertial = INERTIAL.format(mass=mass, inertia=inertia)
    return f"<robot name='bot'>\n<link name='a'>\n{inertial}</link></robot>"


@pytest.mark.parametrize(
    ("tensor", "moments", "told"),
    [
        ((1e-3,) * 6, (1e-3, 1e-3, 1e-3), "the moments 0.001, 0.001, 0.001 kg m"),
        (  # TIAGo's antennas
            (2.371e-8, 2.833e-8, 3.849e-8, 6.119e-8, 1.179e-8, 7.74e-9),
            (2.371e-8, 2.833e-8, 3.849e-8),
            "a principal moment is -3.53e-08 kg m",
        ),
        ((1.2e-4, 1.2e-4, 0, 0, 0, 0), (1.2e-4, 1.2e-4, 5.68e-6), "a principal moment is 0 kg m"),
    ],
)
def test_inertias_that_only_fill_a_gap_are_made_possible_and_told(read, tensor, moments, told):
    found = read(weighing(TENSOR.format(*tensor)))
    inertial = found.models[0].link("a").inertial
    np.testing.assert_allclose(inertial.inertia, np.diag(moments), rtol=1e-12)
    (note,) = found.report.of("guessed")[:-1]  # the last one: it does not drive
    assert "bot.urdf:3: <inertial> of <link name='a'>: no body has this inertia" in note
    assert told in note


def test_of_two_inertials_the_first_counts_as_in_ros(read):
    one = INERTIAL.format(mass=2.0, inertia=TENSOR.format(1, 1, 1, 0, 0, 0))
    more = INERTIAL.format(mass=3.0, inertia=TENSOR.format(1, 1, 1, 0, 0, 0))
    found = read(f"<robot name='bot'>\n<link name='a'>{one}\n{more}</link></robot>")
    assert found.models[0].link("a").inertial.mass == 2.0
    told = "bot.urdf:3: <inertial> of <link name='a'>: was left out: as in ROS, the link's first"
    assert any(told in note for note in found.report.of("ignored"))


def test_a_mass_without_an_inertia_is_a_small_spheres(read):
    found = read(weighing("", mass=2.0))
    np.testing.assert_allclose(found.models[0].link("a").inertial.inertia, 8e-5 * np.eye(3))
    assert "has no inertia; 8e-05 kg m^2, a sphere's, is used" in found.report.of("guessed")[0]


def test_negative_moments_stay_an_error_that_names_the_file_once(read):
    with pytest.raises(FormatError, match="not positive definite") as told:
        read(weighing(TENSOR.format(1, 1, -1, 0, 0, 0)))
    assert str(told.value).count("bot.urdf") == 1


def test_a_robot_of_ones_own_is_not_repaired(tmp_path):
    with pytest.raises(FormatError, match="needs a <mass> and an <inertia>"):
        read_urdf_text_with_notes(weighing(""), tmp_path)


def joined(joint, links="<link name='a'/><link name='b'/>"):
    ends = "<parent link='a'/><child link='b'/>"
    return f"<robot name='bot'>{links}<joint name='j' {joint}{ends}</joint></robot>"


def test_a_fixed_joint_needs_no_axis(read):
    found = read(joined("type='fixed'><axis xyz='0 0 0'/>"))
    assert [joint.kind for joint in found.models[0].joints] == ["fixed"]
    with pytest.raises(FormatError, match="the axis has no direction"):
        read(joined("type='continuous'><axis xyz='0 0 0'/>"))


@pytest.mark.parametrize(
    ("limits", "told"),
    [("", "has no lower and upper, which are 0 then"), ("lower='.1' upper='.1'", "is 0.1 twice")],
)
def test_a_joint_without_way_to_go_is_told_and_can_run(read, tmp_path, limits, told):
    body = INERTIAL.format(mass=1, inertia=TENSOR.format(1, 1, 1, 0, 0, 0))
    found = read(
        f"<robot name='bot'>\n<link name='a'>{body}</link><link name='b'>{body}</link>\n"
        "<joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
        f"<limit {limits} effort='1' velocity='1'/></joint></robot>"
    )
    (note,) = [note for note in found.report.of("guessed") if "held" in note]
    assert f"bot.urdf:3: <limit> of <joint name='j'>: {told}: the joint is held there" in note
    build(find_scenario(str(tmp_path / "bot.urdf"))).step()


def test_links_between_joints_without_mass_or_shape_weigh_a_gram(read, tmp_path):
    body = INERTIAL.format(mass=1, inertia=TENSOR.format(1, 1, 1, 0, 0, 0))
    hinge = "<joint name='{0}{1}' type='continuous'><parent link='{0}'/><child link='{1}'/></joint>"
    frame = "<joint name='m' type='fixed'><parent link='c'/><child link='mark'/></joint>"
    found = read(
        f"<robot name='bot'>\n<link name='a'>{body}</link><link name='b'/>"
        f"<link name='c'>{body}</link><link name='mark'/>"
        f"{hinge.format('a', 'b')}{hinge.format('b', 'c')}{frame}</robot>"
    )
    masses = {k.name: k.inertial and k.inertial.mass for k in found.models[0].links}
    assert masses == {"a": 1.0, "b": 1e-3, "c": 1.0, "mark": None}
    told = "<robot name='bot'>: links without mass at joints (b) have 0.001 kg each"
    assert any(told in note for note in found.report.of("guessed"))
    build(find_scenario(str(tmp_path / "bot.urdf"))).step()


def test_wheels_with_a_shape_and_no_mass_are_told_by_name(read, tmp_path):
    body = INERTIAL.format(mass=1, inertia=TENSOR.format(1, 1, 1, 0, 0, 0))
    disc = "<visual><geometry><cylinder radius='0.1' length='0.05'/></geometry></visual>"
    found = read(
        joined("type='continuous'>", f"<link name='a'>{body}</link><link name='b'>{disc}</link>")
    )
    (note,) = found.report.of("missing")
    assert "links at joints have shapes but no mass (b); add an <inertial>" in note
    with pytest.raises(WorldError, match="'bot/b' moves but has no mass; give its link one"):
        build(find_scenario(str(tmp_path / "bot.urdf")))


def test_what_is_said_twice_in_the_same_words_is_said_once(read):
    twice = "<axis xyz='0 1 0'/><origin xyz='1 2 3'/><axis  xyz='0 1 0' />"
    (joint,) = read(joined(f"type='continuous'>{twice}")).models[0].joints
    assert joint.axis == (0.0, 1.0, 0.0)
    with pytest.raises(FormatError, match="has more than one <axis>"):
        read(joined("type='continuous'><axis xyz='0 1 0'/><axis xyz='0 0 1'/>"))


def test_a_texture_without_a_file_leaves_the_colour(read):
    box = "<geometry><box size='1 1 1'/></geometry>"
    look = "<material name='m'><texture/><color rgba='1 0 0 1'/></material>"
    found = read(f"<robot name='bot'><link name='a'><visual>{box}{look}</visual></link></robot>")
    material = found.models[0].link("a").visuals[0].material
    assert (material.colour, material.texture) == ((1.0, 0.0, 0.0, 1.0), "")
    assert any("names no file and was left out" in note for note in found.report.of("ignored"))


@pytest.mark.parametrize(
    "start",
    ["<?xml version='0.0' ?>", "\n<?xml version='1.0'?>", '<?xml version="0.0"?><!-- a -->'],
)
@pytest.mark.parametrize("space", ["", " xmlns:xacro='http://ros.org/wiki/xacro'"])
def test_declarations_that_are_late_or_of_no_version_are_passed_over(read, start, space):
    found = read(f"{start}\n<robot name='bot'{space}><link name='a'/>\n</robot>")
    assert [link.name for link in found.models[0].links] == ["a"]


def test_a_joint_that_is_called_steering_steers_without_limits(read):
    solid = '<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1"/></inertial>'
    tread = '<collision><origin rpy="1.5707963267948966 0 0"/><geometry>'
    tread += '<cylinder radius=".1" length=".05"/></geometry></collision>'
    parts = [f"<link name='base'>{solid}</link>"]
    for side, y in (("left", 0.2), ("right", -0.2)):
        for axle, x, above in (("front", 0.5, f"{side}_hinge"), ("rear", 0.0, "base")):
            if axle == "front":
                kind = "revolute" if side == "left" else "continuous"
                parts.append(
                    f"<link name='{above}'>{solid}</link>"
                    f"<joint name='{side}_steering_joint' type='{kind}'><parent link='base'/>"
                    f"<child link='{above}'/><origin xyz='{x} {y} .1'/><axis xyz='0 0 1'/>"
                    "<limit lower='-.7' upper='.7' effort='1' velocity='1'/></joint>"
                )
            place = f"{x} {y} .1" if above == "base" else "0 0 0"
            parts.append(
                f"<link name='{axle}_{side}_wheel'>{solid}{tread}</link>"
                f"<joint name='{axle}_{side}' type='continuous'><parent link='{above}'/>"
                f"<child link='{axle}_{side}_wheel'/><origin xyz='{place}'/><axis xyz='0 1 0'/>"
                "</joint>"
            )
    found = read(f"<robot name='bot'>{''.join(parts)}</robot>")
    drive = found.robot.draft["drivetrain"]
    assert (drive["type"], drive["steer_right"]) == ("ackermann", "right_steering_joint")
    assert drive["wheelbase"] == pytest.approx(0.5)


@pytest.mark.parametrize("words", [["check"], ["export", "--to", "out.sdf"]])
def test_what_can_be_run_can_be_checked_and_exported(tmp_path, monkeypatch, capsys, words):
    (tmp_path / "bot.urdf").write_text(weighing(TENSOR.format(*[1e-3] * 6)))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["outrider", words[0], "bot.urdf", *words[1:]])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, capsys.readouterr().err) == (0, "")
