"""Services refuse to put a robot or thing into something else, and say where it would be free."""

import math
import re

import numpy as np
import pytest

from outrider.core.errors import ConfigError, PlaceError
from outrider.core.frames import matrix_from_quaternion
from outrider.core.structure import from_data
from outrider.physics.engine import ENGINES
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.services.in_process import Control
from outrider.scenarios.session import changes
from outrider.scenarios.session.session import Session
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

WALL = {"name": "wall", "shape": {"type": "box", "size": [0.6, 8.0, 2.0]}, "pose": {"x": 8.0}}
CRATE = {
    "name": "crate",
    "shape": {"type": "box", "size": [0.6, 0.6, 0.6]},
    "pose": {"x": -6.0},
    "mass": 10.0,
}
ON_ITS_BACK = [1.0, 0.0, 0.0, 0.0]
BALL = """<sdf version="1.6"><model name="ball"><link name="link">
  <inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
  <collision name="c"><geometry><sphere><radius>0.2</radius></sphere></geometry></collision>
</link></model></sdf>"""


def made(engine="mujoco", model="jackal"):
    world = {"name": "yard", "ground": {"type": "flat"}, "objects": [WALL, CRATE]}
    robots = [
        {"model": model, "name": "one", "pose": {}},
        {"model": "husky", "name": "other", "pose": {"y": 5.0}},
    ]
    data = {"name": "s", "world": world, "robots": robots, "physics": {"engine": engine}}
    session = Session(from_data(Scenario, data, "s"))
    session.simulation.run(0.1)
    return session, Control(session)


def refused(session, control, service, **arguments):
    """Return the sentence of a refusal, which must not have had any effect."""
    before = session.simulation.state_hash
    with pytest.raises(PlaceError) as told:
        control.call(service, **arguments)
    assert session.simulation.state_hash == before
    return str(told.value)


def free_place(sentence):
    found = re.search(r"free place is x = (\S+), y = ([-\d.]+)(?:, z = ([-\d.]+))?", sentence)
    assert found, sentence
    return [float(number) for number in found.groups() if number is not None]


def fastest(session, name, seconds=0.3):
    """Return the highest speed of a model in some time."""
    simulation = session.simulation
    root, found = simulation.rig.assembly.root(name), 0.0
    for _ in range(round(seconds / simulation.rig.step_s)):
        simulation.step()
        velocity = simulation.state.bodies[root]["velocity"]
        found = max(found, float(np.linalg.norm(velocity)))
    return found


@pytest.mark.parametrize("engine", list(ENGINES))
@pytest.mark.parametrize(
    ("position", "inside"),
    [
        ([8.0, 0.5, 0.07], "wall"),
        ([2.0, 2.0, -0.1], "ground"),
        ([0.1, 5.1, 0.07], "other"),
        ([-6.0, 0.1, 0.07], "crate"),
    ],
    ids=["wall", "ground", "robot", "crate"],
)
def test_a_state_inside_something_is_refused_and_the_place_told_is_free(engine, position, inside):
    session, control = made(engine)
    turned = [0.0, 0.0, math.sin(0.4), math.cos(0.4)]
    sentence = refused(
        session, control, "set_state", name="one", position=position, orientation=turned
    )
    assert re.match(
        rf"robot 'one' would start 0\.\d+ m (inside|below) '{inside}' at x = ", sentence
    )
    control.call("set_state", name="one", position=free_place(sentence), orientation=turned)
    assert fastest(session, "one") < 0.5  # it may fall by a centimetre


@pytest.mark.parametrize("model", ["husky", "autominy", "create", "tracked_ugv", "tank"])
def test_no_robot_of_the_library_is_put_into_a_wall_by_its_state(model):
    session, control = made(model=model)
    height = float(session.simulation.robots["one"].pose.position[2])
    for yaw in (0.0, 1.0, 2.5):
        turned = [0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)]
        place = [7.75, 0.5, height]
        said = refused(
            session, control, "set_state", name="one", position=place, orientation=turned
        )
        assert "inside 'wall'" in said
        assert free_place(said)


@pytest.mark.parametrize("engine", list(ENGINES))
def test_states_that_are_free_are_set(engine):
    _, control = made(engine)
    for state in (
        {"velocity": [0.5, 0.0, 0.0]},
        {"position": [2.0, 2.0, 1.5]},  # in mid-air
        {"position": [2.0, 2.0, 0.5], "orientation": ON_ITS_BACK},
        {"position": [8.0, 0.0, 2.07], "orientation": [0.0, 0.0, 0.0, 1.0]},  # on the wall
        {"angular_velocity": [0.0, 0.0, 1.0]},
    ):
        control.call("set_state", name="one", **state)


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "kinematic"])
@pytest.mark.parametrize("orientation", [ON_ITS_BACK, [0.7, 0.0, 0.0, 0.7]], ids=["back", "side"])
def test_a_pose_in_which_a_robot_came_to_rest_can_be_set_again(engine, orientation):
    session, control = made(engine)
    control.call("set_state", name="one", position=[2.0, 2.0, 0.6], orientation=orientation)
    session.simulation.run(1.5)
    rest = control.call("get_state", name="one")
    control.call("set_state", name="one", position=[4.0, 2.0, 0.6], orientation=[0, 0, 0, 1])
    pose = {"position": rest["position"], "orientation": rest["orientation"]}
    control.call("set_state", name="one", **pose, velocity=[0, 0, 0], angular_velocity=[0, 0, 0])
    assert fastest(session, "one") < 0.3


def test_a_robot_that_is_somewhere_may_be_given_a_velocity_there_with_its_pose():
    session, control = made()
    session.simulation.rig.engine.place(
        session.simulation.rig.assembly.root("one"),
        session.simulation.robots["one"].pose,
        np.array([0.0, 0.0, -0.1]),
        np.zeros(3),
    )
    now = control.call("get_state", name="one")
    position = [round(value, 4) for value in now["position"]]
    control.call("set_state", name="one", position=position, velocity=[1.0, 0.0, 0.0])


@pytest.mark.parametrize("engine", list(ENGINES))
def test_things_are_not_put_into_others_and_are_told_a_place_of_their_own(engine):
    session, control = made(engine)
    for service, arguments, inside in (
        ("set_state", {"name": "crate", "position": [7.6, 0.0, 0.301]}, "wall"),
        ("set_state", {"name": "crate", "position": [0.2, 0.0, 0.301]}, "one"),
        ("move", {"name": "crate", "x": 7.6}, "wall"),
    ):
        sentence = refused(session, control, service, **arguments)
        assert sentence.startswith("'crate' would be 0.")
        assert f"inside '{inside}'" in sentence
        x, y, *_ = free_place(sentence)
        control.call("set_state", name="crate", position=[x, y, 0.301])
        assert fastest(session, "crate", 0.1) < 0.3


def test_a_thing_in_the_ground_is_told_a_height():
    session, control = made()
    place = [3.0, 3.0, -0.2]
    sentence = refused(session, control, "set_state", name="crate", position=place)
    assert free_place(sentence) == pytest.approx([3.0, 3.0, 0.305], abs=0.006)
    sentence = refused(session, control, "set_state", name="crate", position=[3.0, 3.0, -3.0])
    assert "below 'ground'" in sentence


def test_a_thing_in_the_ground_whose_frame_is_beside_the_ground_is_told_a_height(tmp_path):
    corners = "v -5 -5 0\nv 5 -5 0\nv 5 5 0\nv -5 5 0\nf 1 2 3\nf 1 3 4\n"
    (tmp_path / "plate.obj").write_text(corners)
    world = {"name": "w", "ground": {"type": "mesh", "file": str(tmp_path / "plate.obj")}}
    session = Session(from_data(Scenario, {"name": "s", "world": world, "robots": []}, "s"))
    control, off = Control(session), "<pose>5 0 0 0 0 0</pose>"
    text = BALL.replace("<inertial>", f"<inertial>{off}").replace('name="c">', f'name="c">{off}')
    control.call("spawn", name="ball", text=text, format="sdf", position=[-3.0, 0.0, 0.3])
    sentence = refused(session, control, "set_state", name="ball", position=[-8.0, 0.0, -0.1])
    assert free_place(sentence) == pytest.approx([-8.0, 0.0, 0.205], abs=0.006)


@pytest.mark.parametrize(
    ("mass", "inside"), [(0.0, "crate"), (0.0, "one"), (5.0, "crate"), (5.0, "one")]
)
def test_an_object_that_is_added_into_something_is_told_a_place_of_its_own(mass, inside):
    session, control = made()
    box = {"type": "box", "size": [0.5, 0.5, 0.5]}
    x = -6.2 if inside == "crate" else 0.3
    new = {"name": "new", "shape": box, "mass": mass}
    sentence = refused(session, control, "add_object", **new, pose={"x": x, "y": 0.1})
    assert sentence.startswith("'new' would be 0.")
    assert f"inside '{inside}'" in sentence
    x, y = free_place(sentence)
    control.call("add_object", **new, pose={"x": x, "y": y})
    assert max(fastest(session, "one", 0.2), fastest(session, "crate", 0.2)) < 0.1


def test_a_model_that_is_spawned_into_a_wall_is_refused():
    session, control = made()
    ball = {"name": "ball", "text": BALL, "format": "sdf"}
    sentence = refused(session, control, "spawn", **ball, position=[7.6, 0.0, 0.3])
    assert "'ball' would be 0.10 m inside 'wall'" in sentence
    x, y = free_place(sentence)
    control.call("spawn", **ball, position=[x, y, 0.3])


@pytest.mark.parametrize("z", [0.0, -0.01, 0.5])
def test_a_model_whose_frame_is_at_its_foot_is_spawned_on_the_ground(z):
    _, control = made()
    standing = BALL.replace('<link name="link">', '<link name="link"><pose>0 0 0.2 0 0 0</pose>')
    inertial = "<inertial><pose>0 0 0.2 0 0 0</pose>"
    footed = BALL.replace("<inertial>", inertial).replace(
        '<collision name="c">', '<collision name="c"><pose>0 0 0.2 0 0 0</pose>'
    )
    for name, text in (("one_link", footed), ("lifted", standing)):
        y = 2.0 if name == "lifted" else -2.0
        control.call("spawn", name=name, text=text, format="sdf", position=[3.0, y, z])


def test_a_fixed_thing_is_not_moved_into_a_loose_one():
    session, control = made()
    sentence = refused(session, control, "set_state", name="wall", position=[-6.4, 0.0, 1.0])
    assert sentence.startswith("'wall' would be 0.")
    assert "inside 'crate'" in sentence


def test_an_object_does_not_grow_into_a_robot_but_may_change_its_colour():
    session, _ = made()
    wall = next(item for item in session.simulation.rig.assembly.static if item.name == "wall")
    assert wall
    wide = ObjectSpec("wall", pose=PoseSpec(8.0), shape=BoxSpec(size=(16.0, 8.0, 2.0)))
    with pytest.raises(PlaceError, match="'wall' would be"):
        session.apply(changes.SetObject(wide))
    same = ObjectSpec(
        "wall", pose=PoseSpec(8.0), shape=BoxSpec(size=(0.6, 8.0, 2.0)), colour=(1.0, 0.0, 0.0)
    )
    session.apply(changes.SetObject(same))


def test_a_whole_world_with_things_inside_one_another_is_loaded_with_a_warning(caplog):
    session, _ = made()
    box = {"type": "box", "size": [0.6, 0.6, 0.6]}
    objects = [
        {"name": n, "shape": box, "pose": {"x": x}, "mass": 1.0} for n, x in (("a", 3), ("b", 3.2))
    ]
    world = {"name": "other", "ground": {"type": "flat"}, "objects": objects}
    other = from_data(Scenario, {"name": "s", "world": world, "robots": []}, "s").world
    session.remove("other")
    session.apply(changes.LoadWorld(other))
    assert "'a' starts 0.40 m inside 'b'" in caplog.text


def test_a_herd_whose_places_are_drawn_is_added_even_if_one_of_it_is_in_a_crate(caplog):
    session, control = made()
    area = {"centre": [-6.0, 0.0], "size": [2.5, 2.5]}
    control.call("add_actor", type="herd", name="sheep", area=area, count=5)
    assert "'crate' starts 0." in caplog.text
    assert fastest(session, "crate") < 5.0


@pytest.mark.parametrize("mass", [1e-9, 1e12])
def test_what_is_added_has_a_mass_that_contacts_can_bear(mass):
    session, control = made()
    text = BALL.replace("<mass>1</mass>", f"<mass>{mass}</mass>")
    before = session.simulation.state_hash
    with pytest.raises(ConfigError, match=r"'ball' weighs 1e[-+]\d+ kg: expected 1e-06 to 1e\+06"):
        control.call("spawn", name="ball", text=text, format="sdf", position=[3.0, 0.0, 0.3])
    assert session.simulation.state_hash == before


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "kinematic"])
def test_a_turned_robot_with_its_gun_in_the_ground_is_told_a_place_above_it(engine):
    session, control = made(engine, model="tank")
    nose_down = [0.0, math.sin(0.7), 0.0, math.cos(0.7)]
    asked = {"name": "one", "orientation": nose_down}
    sentence = refused(session, control, "set_state", **asked, position=[2.0, -4.0, 0.3])
    assert "inside 'ground'" in sentence
    control.call("set_state", **asked, position=free_place(sentence))


def test_no_post_is_in_a_wheel_at_the_place_that_is_told():
    session, control = made(model="tank")
    post = {"type": "cylinder", "radius": 0.04, "length": 1.0}
    control.call("add_object", name="post", shape=post, pose={"x": 2.0, "y": -4.0})
    rig = session.simulation.rig
    for x in np.linspace(1.5, 2.5, 9):
        place = {"name": "one", "y": -4.5, "yaw_deg": 20.0}
        try:
            control.call("move", **place, x=x)
        except PlaceError as error:
            free = free_place(str(error))
            control.call("move", **{**place, "x": free[0], "y": free[1]})
            for tyre in rig.vehicles[0].tyres:
                body = rig.engine.state.bodies[tyre["body"]]
                turn = matrix_from_quaternion(body["rotation"])
                hub, axle = body["position"] + turn @ tyre["hub"], turn @ tyre["axle"]
                way = np.array([2.0, -4.0, hub[2]]) - hub
                aside = abs(float(way @ axle)) - float(tyre["half_width"])
                ahead = abs(float(way @ np.cross(axle, [0, 0, 1]))) - float(tyre["radius"])
                assert max(aside, ahead) > 0.0, "the middle of the post is in a wheel"


def test_the_free_place_that_is_told_is_next_to_the_wall():
    session, control = made()
    sentence = refused(session, control, "set_state", name="one", position=[8.0, 0.5, 0.07])
    x, y, _ = free_place(sentence)
    assert math.hypot(x - 8.0, y - 0.5) < 0.3 + 0.27 + 0.1  # half the wall, half the robot


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
def test_a_robot_on_its_edge_that_dips_into_the_ground_is_told_a_place(engine):
    session, control = made(engine, model="create")
    asked = {"name": "one", "orientation": [math.sin(math.pi / 4), 0.0, 0.0, math.cos(math.pi / 4)]}
    sentence = refused(session, control, "set_state", **asked, position=[0.1, 5.1, 0.156])
    assert "inside 'other'" in sentence
    free = free_place(sentence)
    assert free[2] < 0.4, "beside it, not above"
    control.call("set_state", **asked, position=free)


def test_a_robot_that_is_moved_onto_a_wide_wall_is_told_of(caplog):
    session, control = made()
    control.call("move", name="one", x=8.0, y=0.3)
    assert session.simulation.robots["one"].pose.position[2] > 2.0
    assert "robot 'one' stands on 'wall', 2.0 m above 'ground', as its pose has no z" in caplog.text
    caplog.clear()
    control.call("move", name="one", x=4.0, y=0.3)
    assert not caplog.messages
