"""Frames, joints and nested models of SDF, by hand."""

import math

import numpy as np
import pytest

from outrider.core.errors import FormatError
from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.formats.sdf.read import read_sdf
from outrider.world.assembly import assemble
from outrider.world.model import World

BOX = "<collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>"
MASS = "<inertial><mass>2</mass></inertial>"


@pytest.fixture
def world(tmp_path):
    def read(body, version="1.9", **more):
        path = tmp_path / "w.sdf"
        path.write_text(f"<sdf version='{version}'><world name='w'>{body}</world></sdf>")
        return read_sdf(path, env={}, **more)

    return read


def frames(imported):
    """Return the world pose of every link, by model/link."""
    assembly = assemble(imported.world)
    found = {}
    for name, frame in assembly.frames.items():
        pose, body = frame.T_body_link, frame.body
        while body >= 0:
            pose = assembly.bodies[body].pose @ pose
            body = assembly.bodies[body].parent
        found[name] = pose
    return found


def place(imported, name):
    return frames(imported)[name].position.tolist()


def test_poses_are_read_in_radians_degrees_and_quaternions(world):
    spellings = [
        "<pose>1 2 3 0.1 0.2 0.3</pose>",
        "<pose degrees='true'>1 2 3 {} {} {}</pose>".format(*np.degrees([0.1, 0.2, 0.3])),
        "<pose rotation_format='quat_xyzw'>1 2 3 {} {} {} {}</pose>".format(
            *Pose.from_rpy([0, 0, 0], [0.1, 0.2, 0.3]).rotation
        ),
    ]
    for pose in spellings:
        body = f"<model name='m'><static>1</static>{pose}<link name='a'>{BOX}</link></model>"
        found = frames(world(body))["m/a"]
        assert found.position == pytest.approx([1, 2, 3])
        assert found.rpy == pytest.approx([0.1, 0.2, 0.3])


def test_relative_to_follows_frames_joints_and_nested_scopes(world):
    found = frames(
        world(f"""
      <frame name='f'><pose>10 0 0 0 0 {math.pi / 2}</pose></frame>
      <model name='m'><static>1</static><pose relative_to='f'>1 0 0 0 0 0</pose>
        <link name='a'><pose relative_to='g'>0 0 1 0 0 0</pose>{BOX}</link>
        <link name='b'><pose relative_to='inner::deep'>0 0 0.5 0 0 0</pose></link>
        <frame name='g' attached_to='c'><pose>0 2 0 0 0 0</pose></frame>
        <link name='c'><pose>1 0 0 0 0 0</pose></link>
        <model name='inner'><pose relative_to='c'>0 0 5 0 0 0</pose>
          <link name='l'><pose>0 0 1 0 0 0</pose></link>
          <frame name='deep' attached_to='l'><pose>3 0 0 0 0 0</pose></frame></model>
      </model>""")
    )
    # f turns left: what is ahead in it is to the left in the world
    assert found["m/c"].position == pytest.approx([10, 2, 0])
    assert found["m/a"].position == pytest.approx([8, 2, 1])
    assert found["m/inner/l"].position == pytest.approx([10, 2, 6])
    assert found["m/b"].position == pytest.approx([10, 5, 6.5])


def test_before_1_7_frames_of_poses_are_not_obeyed(world):
    body = f"""<model name='m'><static>1</static><pose frame=''>1 0 0 0 -0 0</pose>
      <link name='a'><pose frame='nowhere'>1 0 0 0 0 0</pose>{BOX}</link></model>"""
    assert place(world(body, "1.6"), "m/a") == pytest.approx([2, 0, 0])


def test_a_placement_frame_is_put_where_the_pose_says(world):
    body = f"""<model name='m' placement_frame='hook'><static>1</static><pose>0 0 10 0 0 0</pose>
      <link name='a'>{BOX}</link><frame name='hook'><pose>0 0 3 0 0 0</pose></frame></model>"""
    assert place(world(body), "m/a") == pytest.approx([0, 0, 7])


@pytest.mark.parametrize(
    "body",
    [
        """<model name='m'><link name='a'><pose relative_to='b'/></link>
           <link name='b'><pose relative_to='a'>0 0 1 0 0 0</pose></link></model>""",
        """<model name='m'><link name='l'/><frame name='x' attached_to='y'/>
           <frame name='y' attached_to='x'/><link name='a'><pose relative_to='x'/></link>
           </model>""",
        """<frame name='p'><pose relative_to='q'/></frame><frame name='q'><pose relative_to='p'/>
           </frame><model name='m'><pose relative_to='p'/><link name='a'/></model>""",
    ],
)
def test_frames_in_a_circle_are_refused(world, body):
    with pytest.raises(FormatError, match="refer to each other in a cycle: "):
        world(body)


def test_a_frame_that_is_not_there_is_named_with_a_near_match(world):
    link = "<link name='a'><pose relative_to='bose'/></link>"
    body = f"<model name='m'><link name='base'/>{link}</model>"
    with pytest.raises(FormatError, match=r"no frame 'bose' \(did you mean 'base'\?\)"):
        world(body)


HINGE = """<model name='m'><link name='base'>{mass}{box}</link>
  <link name='arm'><pose>0 0 1 0 0 {turn}</pose>{mass}</link>
  <joint name='j' type='revolute'><parent>{parent}</parent><child>{child}</child>{pose}
  <axis><xyz{expressed}>1 0 0</xyz>{flag}<limit><lower>-1</lower><upper>2</upper></limit>
  <dynamics><damping>0.5</damping><friction>0.1</friction><spring_stiffness>3</spring_stiffness>
  </dynamics></axis></joint></model>"""


def hinge(world, version="1.9", **more):
    words = {
        "mass": MASS,
        "box": BOX,
        "turn": 0,
        "parent": "base",
        "child": "arm",
        "pose": "",
        "expressed": "",
        "flag": "",
    } | more
    return world(HINGE.format(**words), version)


def axis_in_world(imported, name="m"):
    (model,) = imported.world.models
    joint = next(j for j in model.joints if j.kind != "fixed")
    pose = frames(imported)[f"{name}/{joint.child}"]
    return matrix_from_quaternion(pose.rotation) @ np.array(joint.axis), joint


def test_a_hinge_has_its_axis_limits_and_dynamics(world):
    axis, joint = axis_in_world(hinge(world))
    assert axis == pytest.approx([1, 0, 0])
    assert (joint.lower, joint.upper, joint.damping, joint.friction) == (-1, 2, 0.5, 0.1)
    assert joint.stiffness == 3
    assert joint.origin.position == pytest.approx([0, 0, 1])


@pytest.mark.parametrize(
    ("version", "expressed", "flag", "along"),
    [
        ("1.4", "", "", [1, 0, 0]),  # the model's frame, before joints had one
        ("1.5", "", "", [0, 1, 0]),  # the joint's frame: the child's, turned to the left
        ("1.5", "", "<use_parent_model_frame>1</use_parent_model_frame>", [1, 0, 0]),
        ("1.9", "", "", [0, 1, 0]),
        ("1.9", " expressed_in='__model__'", "", [1, 0, 0]),
        ("1.9", " expressed_in='base'", "", [1, 0, 0]),
    ],
)
def test_the_frame_of_an_axis_is_by_version_flag_and_attribute(
    world, version, expressed, flag, along
):
    found = hinge(world, version, turn=math.pi / 2, expressed=expressed, flag=flag)
    assert axis_in_world(found)[0] == pytest.approx(along)


def test_a_hinge_off_its_link_gets_a_frame_and_moves_no_link(world):
    found = hinge(world, pose="<pose>0 0.5 0 0 0 0</pose>")
    assert place(found, "m/arm") == pytest.approx([0, 0, 1])
    _, joint = axis_in_world(found)
    assert joint.child == "j_frame"
    assert joint.origin.position == pytest.approx([0, 0.5, 1])


def test_a_joint_that_points_to_the_first_link_is_turned_round(world):
    found = hinge(world, parent="arm", child="base", pose="<pose>0 0 1 0 0 0</pose>")
    axis, joint = axis_in_world(found)
    (model,) = found.world.models
    assert [k.name for k in model.links][:2] == ["__model__", "arm"]  # nothing carries it
    assert axis == pytest.approx([1, 0, 0])
    assert place(found, "m/base") == pytest.approx([0, 0, 0])
    assert (joint.lower, joint.upper) == (-1, 2)


def test_links_that_nothing_joins_fall_apart_and_loops_are_opened(world):
    body = f"""<model name='m'><pose>0 0 1 0 0 0</pose>
      <link name='a'>{MASS}{BOX}</link><link name='b'><pose>3 0 0 0 0 0</pose>{MASS}{BOX}</link>
      <link name='c'><pose>0 1 0 0 0 0</pose>{MASS}</link>
      <joint name='j' type='fixed'><parent>a</parent><child>c</child></joint>
      <joint name='k' type='fixed'><parent>c</parent><child>a</child></joint></model>"""
    found = world(body)
    (model,) = found.world.models
    assert [child.name for child in model.children] == ["b"]
    assert place(found, "m/b/b") == pytest.approx([3, 0, 1])
    assert any("joint 'k' closes a loop" in note for note in found.notes)


def test_joints_into_a_nested_model_pull_it_into_the_tree(world):
    body = f"""<model name='m'><link name='base'>{MASS}{BOX}</link>
      <model name='tool'><pose>0 0 2 0 0 0</pose><link name='grip'>{MASS}</link>
        <model name='tip'><pose>0 0 1 0 0 0</pose><link name='point'>{MASS}</link></model></model>
      <joint name='j' type='continuous'><parent>base</parent><child>tool::grip</child></joint>
      <joint name='k' type='fixed'><parent>tool::grip</parent>
        <child>tool::tip::point</child></joint>
      </model>"""
    found = world(body)
    (model,) = found.world.models
    assert model.children == ()
    assert {link.name for link in model.links} == {"base", "tool::grip", "tool::tip::point"}
    assert place(found, "m/tool::tip::point") == pytest.approx([0, 0, 3])


def test_a_model_joined_to_the_world_stays_there(world):
    body = f"""<model name='m'><link name='a'>{MASS}{BOX}</link>
      <joint name='j' type='fixed'><parent>world</parent><child>a</child></joint></model>"""
    assert world(body).world.models[0].mobility == "static"


def test_joints_that_are_not_known_are_held_or_refused(world):
    body = f"""<model name='m'><link name='a'>{MASS}</link><link name='b'>{MASS}</link>
      <joint name='j' type='%s'><parent>a</parent><child>b</child></joint></model>"""
    found = world(body % "screw")
    assert found.world.models[0].joints[0].kind == "fixed"
    assert any("'screw' are not supported; it is fixed" in note for note in found.notes)
    with pytest.raises(FormatError, match="no joint of type 'rubber'"):
        world(body % "rubber")


def test_a_body_without_mass_weighs_what_sdf_says_and_frames_weigh_nothing(world):
    body = f"""<model name='m'><link name='a'>{BOX}</link><link name='f'/>
      <joint name='j' type='fixed'><parent>a</parent><child>f</child></joint></model>"""
    found = world(body)
    masses = [link.inertial and link.inertial.mass for link in found.world.models[0].links]
    assert masses == [1.0, None]
    assert any("SDF's own 1 kg is used" in note for note in found.notes)


def test_many_models_make_one_assembly(world):
    body = "".join(f"<model name='m'><link name='a'>{BOX}{MASS}</link></model>" for _ in range(3))
    found = world(body)
    assert [model.name for model in found.world.models] == ["m", "m_2", "m_3"]
    assert isinstance(found.world, World)
    assemble(found.world)


def test_joints_of_several_axes_are_hinges_one_after_the_other(world):
    axes = """<axis><xyz>0 0 1</xyz><limit><lower>-0.5</lower><upper>0.5</upper></limit></axis>
      <axis2><xyz>0 1 0</xyz></axis2>"""
    body = f"""<model name='m'><link name='a'>{MASS}</link><link name='b'><pose>1 0 0 0 0 0</pose>
      {MASS}</link><joint name='j' type='%s'><parent>a</parent><child>b</child>{axes}</joint>
      </model>"""
    for kind in ("revolute2", "universal"):
        model = world(body % kind).world.models[0]
        steer, roll = model.joints
        assert (steer.name, steer.kind, steer.axis) == ("j", "revolute", (0, 0, 1))
        assert (steer.lower, steer.upper) == (-0.5, 0.5)
        assert (roll.name, roll.kind, roll.axis) == ("j_2", "continuous", (0, 1, 0))
        assert (steer.child, roll.parent, roll.child) == ("j_cross1", "j_cross1", "b")
        assert place(world(body % kind), "m/b") == pytest.approx([1, 0, 0])
    ball = world(body % "ball")
    assert [j.axis for j in ball.world.models[0].joints] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert sum("3 hinges" in note for note in ball.notes) == 1


def test_a_saved_state_turns_joints_and_keeps_their_limits(world):
    """The link is where the state put it, and the limits lie where they lay before."""
    found = world(f"""<model name='m'><link name='a'>{MASS}</link><link name='b'>
      <pose>1 0 0 0 0 0</pose>{MASS}</link><link name='c'><pose>0 2 0 0 0 0</pose>{MASS}</link>
      <joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>
      <limit><lower>-0.2</lower><upper>1.0</upper></limit></axis></joint>
      <joint name='k' type='prismatic'><parent>a</parent><child>c</child><axis><xyz>0 1 0</xyz>
      <limit><lower>0</lower><upper>3</upper></limit></axis></joint></model>
      <state world_name='w'><model name='m'><pose>5 0 0 0 0 0</pose>
      <link name='a'><pose>5 0 0 0 0 0</pose></link>
      <link name='b'><pose>6 0 0 0 0 0.3</pose></link>
      <link name='c'><pose>5 2.5 0 0 0 0</pose></link></model></state>""")
    j, k = found.world.models[0].joints
    assert (j.lower, j.upper) == pytest.approx((-0.5, 0.7))
    assert j.origin.rpy[2] == pytest.approx(0.3)
    assert (k.lower, k.upper) == pytest.approx((-0.5, 2.5))
    assert k.origin.position == pytest.approx([0, 2.5, 0])


HAND = """<model name='hand' canonical_link='palm' placement_frame='flange'>
  <frame name='flange' attached_to='palm'><pose degrees='true'>0 0 -0.1 0 0 90</pose></frame>
  <link name='extra'><pose relative_to='palm'>0 0.5 0 0 0 0</pose></link>
  <link name='palm'><pose>0.3 0 0 0 0 0</pose></link>
  <joint name='hold' type='fixed'><parent>palm</parent><child>extra</child></joint>
  <pose relative_to='tool'/></model>"""


@pytest.mark.parametrize("child", ["hand", "hand::flange", "hand::__model__", "hand::palm"])
@pytest.mark.parametrize("parent", ["tool", "tip", "j1"])
def test_a_joint_may_join_any_frames_of_models_inside(tmp_path, parent, child):
    body = f"""<model name='arm'><link name='base'/>
      <link name='tip'><pose degrees='true'>0 0 1 0 90 0</pose></link>
      <frame name='tool' attached_to='tip'><pose>0.2 0 0 0 0 0</pose></frame>
      <joint name='j1' type='fixed'><parent>base</parent><child>tip</child></joint>{HAND}
      <joint name='wrist' type='fixed'><parent>{parent}</parent><child>{child}</child></joint>
      </model>"""
    path = tmp_path / "arm.sdf"
    path.write_text(f"<sdf version='1.10'>{body}</sdf>")
    (arm,) = read_sdf(path).world.models
    wrist = next(joint for joint in arm.joints if joint.name == "wrist")
    assert (wrist.parent, wrist.child) == ("tip", "hand::palm")
    poses = arm.link_poses()
    assert poses["hand::palm"].position == pytest.approx([0.1, 0, 0.8])
    assert poses["hand::extra"].position == pytest.approx([0.1, 0, 0.3])
