"""A drafted robot stands on its wheels, also where its hull lies as low as they do."""

import pytest

import outrider as o
from outrider.formats.import_file import import_file

LINK = """<link name="{n}"><inertial><mass value="{m}"/><inertia ixx="0.01" ixy="0" ixz="0"
  iyy="0.01" iyz="0" izz="0.01"/></inertial><collision><origin xyz="0 0 {z}" rpy="{r} 0 0"/>
  <geometry>{g}</geometry></collision></link>"""
JOINT = """<joint name="{n}_joint" type="{t}"><parent link="base"/><child link="{n}"/>
  <origin xyz="{x} {y} {z}"/><axis xyz="0 1 0"/></joint>"""
WHEEL, BALL = '<cylinder radius="0.05" length="0.03"/>', '<sphere radius="0.03"/>'


def robot(folder, clearance, castor="caster"):
    """Write a robot of two wheels and a castor whose hull has so much room below it."""
    hull = f'<box size="0.35 0.36 {0.2 - clearance}"/>'
    text = LINK.format(n="base", m=20, z=0.1 + clearance / 2, r=0, g=hull)
    for name, y in (("left_wheel", 0.2), ("right_wheel", -0.2)):
        text += LINK.format(n=name, m=0.5, z=0, r=1.5707963, g=WHEEL)
        text += JOINT.format(n=name, t="continuous", x=0.08, y=y, z=0.05)
    if castor:
        text += LINK.format(n=castor, m=0.1, z=0, r=0, g=BALL)
        text += JOINT.format(n=castor, t="fixed", x=-0.15, y=0, z=0.03)
    path = folder / "bot.urdf"
    path.write_text(f"<robot name='bot'>{text}</robot>")
    return path


def driven(path):
    """Return how far it drives in 2 s at 0.3 m/s, by the truth and by its wheels."""
    sim = o.open(path)
    (bot,) = sim.robots.values()
    sim.run(0.5)
    start = bot.pose.position[0]
    for _ in range(20):
        bot.drive(0.3)
        sim.run(0.1)
    return bot.pose.position[0] - start


@pytest.mark.parametrize("clearance", [0.0, 0.001, -0.001])
def test_a_hull_as_low_as_the_wheels_is_lifted_by_larger_tyres_and_told(tmp_path, clearance):
    path = robot(tmp_path, clearance)
    assert driven(path) == pytest.approx(0.585, abs=0.01)  # before: 0.00 to 0.30
    found = import_file(path)
    lift = 0.06 * 0.05 - clearance
    told = f"tyres and castors are {1000 * lift:.2g} mm larger: 'base' lies as low as they do"
    assert any(told in note for note in found.report.of("guessed"))
    draft = found.robot.draft
    assert draft["tyre"]["radius"] == pytest.approx(0.05 + lift)
    assert draft["drivetrain"]["wheel_radius"] == pytest.approx(0.05 + lift)
    assert draft["castors"][0]["radius"] == pytest.approx(0.03 + lift)


@pytest.mark.parametrize("clearance", [0.004, 0.04])
def test_a_hull_with_room_below_changes_nothing(tmp_path, clearance):
    found = import_file(robot(tmp_path, clearance))
    assert found.robot.draft["drivetrain"]["wheel_radius"] == 0.05
    assert not any("larger" in note for note in found.report.of("guessed"))


def test_a_hull_far_below_the_wheels_is_only_told(tmp_path):
    found = import_file(robot(tmp_path, -0.02))
    assert found.robot.draft["drivetrain"]["wheel_radius"] == 0.05
    told = "'base' is 20 mm below the wheels: it rubs on the ground"
    assert any(told in note for note in found.report.of("guessed"))


def test_a_hull_that_a_robot_rests_on_stays_as_it_is(tmp_path):
    found = import_file(robot(tmp_path, 0.0, castor=""))
    assert found.robot.draft["drivetrain"]["wheel_radius"] == 0.05
