"""Robots that would start inside something are refused, with what, how far and where to go."""

import re

import numpy as np
import pytest

from outrider.core.errors import ConfigError
from outrider.core.structure import from_data
from outrider.physics.engine import ENGINES
from outrider.scenarios.build import build
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.services.in_process import Control
from outrider.scenarios.session.session import Session
from outrider.specs.world import ObjectSpec, PoseSpec
from outrider.world.shapes import Box
from outrider.world.tessellate import tessellate

WALL = {"name": "wall", "shape": {"type": "box", "size": [0.4, 6.0, 2.0]}, "pose": {"x": 3.0}}
CRATE = {"name": "crate", "shape": {"type": "box", "size": [1.0, 1.0, 0.6]}, "pose": {"x": -3.0}}
TABLE = {"name": "table", "shape": {"type": "box", "size": [2.0, 2.0, 0.1]}}


def scenario(*robots, objects=(WALL, CRATE), **more):
    world = {"name": "yard", "ground": {"type": "flat"}, "objects": list(objects)}
    data = {"name": "start", "world": world, "robots": list(robots), **more}
    return from_data(Scenario, data, "s")


def jackal(name="jackal", **pose):
    return {"model": "jackal", "name": name, "pose": pose}


def refused(*robots, **more):
    with pytest.raises(ConfigError) as told:
        build(scenario(*robots, **more))
    return str(told.value)


def free_place(sentence):
    found = re.search(r"nearest free place is x = (-?[\d.]+), y = (-?[\d.]+)", sentence)
    assert found, sentence
    return float(found[1]), float(found[2])


def stands_there(place, objects=(WALL, CRATE), **more):
    simulation = build(scenario(jackal(x=place[0], y=place[1], **more), objects=objects))
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    simulation.run(1.0)
    assert np.linalg.norm(body["velocity"]) < 0.02
    assert body["position"][:2] == pytest.approx(place, abs=0.01)


@pytest.mark.parametrize("engine", list(ENGINES))
def test_a_start_inside_a_wall_is_refused_on_every_engine_with_z_or_without(engine):
    physics = {"engine": engine}
    for height in ({}, {"z": 0.1}):
        sentence = refused(jackal(x=3.3, **height), physics=physics)
        assert "'jackal' would start 0." in sentence
        assert "inside 'wall' at x = 3.3" in sentence
        place = free_place(sentence)
        assert 0.1 < abs(place[0] - 3.3) < 0.8
        assert ("without a z" in sentence) == bool(height)
    stands_there(place)


def test_the_depth_told_is_how_far_the_robot_is_in_the_wall():
    free = build(scenario(jackal()))
    chassis = free.rig.assembly.bodies[free.rig.vehicles[0].root].colliders
    ahead = max(g.pose.apply(tessellate(g.shape).vertices)[:, 0].max() for g in chassis)
    sentence = refused(jackal(x=2.7, z=0.1))
    depth = float(re.search(r"start ([\d.]+) m inside 'wall'", sentence)[1])
    assert depth == pytest.approx(2.7 + ahead - 2.8, abs=0.01)


def test_two_robots_at_one_place_are_refused_with_both_names():
    sentence = refused(jackal("one", x=0.0), jackal("two", x=0.1, y=0.1))
    assert re.search(r"robot 'one' would start 0.\d+ m inside 'two'", sentence)
    place = free_place(sentence)
    assert np.hypot(place[0] - 0.1, place[1] - 0.1) > 0.35


def test_a_robot_without_z_does_not_land_on_a_box():
    sentence = refused(jackal(x=-3.0))
    assert "inside 'crate'" in sentence
    stands_there(free_place(sentence))


def test_a_robot_with_a_given_z_may_start_on_a_box():
    simulation = build(scenario(jackal(x=-3.0, z=0.67)))
    simulation.run(1.0)
    position = simulation.state.bodies[simulation.rig.vehicles[0].root]["position"]
    assert position == pytest.approx([-3.0, 0.0, 0.6 + 0.063], abs=0.02)


def test_a_robot_without_z_stands_under_a_table_not_on_it():
    table = TABLE | {"pose": {"z": 1.5}}
    simulation = build(scenario(jackal(), objects=[table]))
    height = simulation.state.bodies[simulation.rig.vehicles[0].root]["position"][2]
    assert height == pytest.approx(0.063, abs=0.02)


def _slab(name, size, **pose):
    return {"name": name, "shape": {"type": "box", "size": size}, "pose": pose}


WALLS = [
    _slab("north", [12.0, 0.2, 3.0], y=6.0, z=1.5),
    _slab("south", [12.0, 0.2, 3.0], y=-6.0, z=1.5),
    _slab("east", [0.2, 12.0, 3.0], x=6.0, z=1.5),
    _slab("west", [0.2, 12.0, 3.0], x=-6.0, z=1.5),
]
COVER = _slab("cover", [12.2, 12.2, 0.2], z=3.1)


BRIDGE = [COVER, *WALLS[:2]]


@pytest.mark.parametrize(
    ("objects", "height", "told"),
    [
        ([COVER, *WALLS], 0.0, []),
        (BRIDGE, 3.2, ["stands on 'cover', 3.2 m above 'ground'"]),
        (
            [COVER, _slab("block", [12.0, 12.0, 3.0], z=1.5)],
            3.2,
            ["stands on 'cover', 3.2 m above 'ground', as its pose has no z"],
        ),
    ],
    ids=["room", "bridge", "stage"],
)
def test_a_robot_without_z_stands_in_a_room_but_on_a_bridge_or_stage(objects, height, told, caplog):
    simulation = build(scenario(jackal(), objects=objects))
    found = simulation.state.bodies[simulation.rig.vehicles[0].root]["position"][2]
    assert found == pytest.approx(height + 0.063, abs=0.02)
    assert len(caplog.messages) == len(told)
    assert all(part in caplog.messages[0] for part in told)


def test_the_z_that_is_told_to_a_robot_on_a_bridge_is_under_it(caplog):
    build(scenario(jackal(), objects=BRIDGE))
    z = float(re.search(r"with z: (\S+) it", caplog.messages[0])[1])
    stands_there((0.0, 0.0), z=z, objects=BRIDGE)
    assert len(caplog.messages) == 1


def test_a_start_inside_something_movable_is_refused():
    barrel = {"name": "barrel", "shape": {"type": "box", "size": [0.5, 0.5, 0.5]}, "mass": 5.0}
    assert "inside 'barrel'" in refused(jackal(x=0.1), objects=[barrel])


def test_wheels_below_the_ground_are_refused_and_the_place_is_free_without_z():
    sentence = refused(jackal(x=0.0, z=-0.02))
    assert re.search(r"would start 0.0\d m inside 'ground'", sentence)
    assert free_place(sentence) == (0.0, 0.0)


def test_a_robot_below_all_ground_is_refused():
    assert "'ground'" in refused(jackal(x=0.0, z=-2.0))


def test_a_robot_that_is_added_where_another_stands_now_is_refused_and_nothing_changes():
    session = Session(scenario(jackal("one")))
    session.move("one", x=1.0)
    with pytest.raises(ConfigError, match=r"robot 'two' would start 0.* inside 'one'"):
        session.add(RobotEntry("jackal", "two", PoseSpec(1.1)))
    assert set(session.simulation.robots) == {"one"}
    session.add(RobotEntry("jackal", "two", PoseSpec(0.0)))  # where it was is free
    assert set(session.simulation.robots) == {"one", "two"}


def test_an_object_that_is_added_into_a_robot_is_refused():
    session = Session(scenario(jackal("one")))
    with pytest.raises(ConfigError, match=r"'block' would be .* inside 'one'"):
        session.add(ObjectSpec(name="block", shape=_box(), pose=PoseSpec(0.2)))


def _box():
    spec = from_data(ObjectSpec, TABLE | {"pose": {}}, "box")
    return spec.shape


@pytest.mark.parametrize(("ground", "falls"), [("none", True), ("flat", False)])
def test_a_robot_above_nothing_is_told_to_fall(caplog, ground, falls):
    world = {"name": "void", "ground": {"type": ground}, "objects": [WALL]}
    build(scenario(jackal(x=8.0, z=0.5), world=world))
    told = [record.getMessage() for record in caplog.records]
    words = "robot 'jackal' will fall: there is no ground below it at x = 8, y = 0"
    assert any(sentence.startswith(words) for sentence in told) == falls


def _loose(name, x, **more):
    box = {"type": "box", "size": [0.6, 0.6, 0.6]}
    return {"name": name, "shape": box, "pose": {"x": x, **more}, "mass": 5.0}


@pytest.mark.parametrize("engine", list(ENGINES))
def test_movable_things_inside_others_are_told_of_and_change_nothing(engine, caplog, monkeypatch):
    objects = [WALL, _loose("crate", 3.1), _loose("a", -3.0), _loose("b", -3.4)]
    told = build(scenario(jackal(), objects=objects, physics={"engine": engine}))
    first, second = [record.getMessage() for record in caplog.records]
    assert first.startswith("'crate' starts 0.40 m inside 'wall' and will be pushed out; ")
    assert free_place(first) == (3.5, 0.0)
    assert second.startswith("'a' starts 0.20 m inside 'b' and will be pushed out; ")
    monkeypatch.setattr("outrider.sim.start_poses.tell_of_wedged", lambda *_: None)
    untold = build(scenario(jackal(), objects=objects, physics={"engine": engine}))
    told.run(0.1)
    untold.run(0.1)
    assert told.state_hash == untold.state_hash


def test_movable_things_that_touch_are_not_told_of(caplog):
    tower = [_loose("low", 0.0), _loose("high", 0.0, z=0.895), _loose("beside", 0.595)]
    build(scenario(jackal(x=-3.0), objects=[WALL, *tower]))
    assert not caplog.records


def test_a_movable_thing_that_is_added_inside_another_is_refused_with_a_place_of_its_own():
    session = Session(scenario(jackal("one"), objects=[WALL, _loose("old", 3.0)]))
    before = session.simulation.state_hash
    with pytest.raises(ConfigError, match=r"^'new' would be 0\.40 m inside 'wall'") as told:
        session.add(from_data(ObjectSpec, _loose("new", 3.1, y=2.0), "new"))
    assert session.simulation.state_hash == before
    x, y = free_place(str(told.value))
    assert (x, y) == (3.5, 2.0)
    session.add(from_data(ObjectSpec, _loose("new", x, y=y), "new"))


LONG_WALL = {"name": "wall", "shape": {"type": "box", "size": [0.5, 12.0, 2.0]}, "pose": {"x": 6.0}}


def test_a_robot_without_z_does_not_land_on_a_long_wall_nor_is_it_told_to():
    assert "inside 'wall'" in refused(jackal(x=6.0), objects=[LONG_WALL])
    place = free_place(refused(jackal(x=6.1, z=0.2), objects=[LONG_WALL]))
    assert abs(place[0] - 6.0) > 0.25 + 0.2


def test_a_long_robot_near_a_wall_does_not_lean_on_it():
    tank = {"model": "tank", "name": "tank", "pose": {"x": 7.6, "y": 1.0}}
    narrow = {"type": "box", "size": [0.3, 8.0, 2.0]}
    sentence = refused(tank, objects=[LONG_WALL | {"shape": narrow}])
    assert re.search(r"would start .* inside 'wall'", sentence)


@pytest.mark.parametrize(
    ("x", "y"),
    [(0.45, 0.35), (-0.45, -0.35)],
    ids=["left belt", "right belt"],
)
def test_a_belt_that_is_inside_a_barrel_is_seen_from_the_side(x, y):
    barrel = {"name": "barrel", "shape": {"type": "cylinder", "radius": 0.3, "length": 0.9}}
    robot = {"model": "tracked_ugv", "name": "ugv", "pose": {}}
    sentence = refused(robot, objects=[barrel | {"pose": {"x": x, "y": y}, "mass": 20.0}])
    place = free_place(sentence)
    free = {"model": "tracked_ugv", "name": "ugv", "pose": {"x": place[0], "y": place[1]}}
    objects = [barrel | {"pose": {"x": x, "y": y}, "mass": 20.0}]
    simulation = build(scenario(free, objects=objects))
    simulation.run(1.0)
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    assert body["position"][:2] == pytest.approx(place, abs=0.01)


ROOF = ([8.4, 8.4, 0.15], [0, 0, 2.6])
CLOSED = (
    ([8.0, 0.2, 2.5], [0, 4, 1.25]),
    ([8.0, 0.2, 2.5], [0, -4, 1.25]),
    ([0.2, 8.0, 2.5], [-4, 0, 1.25]),
    ([0.2, 8.0, 2.5], [4, 0, 1.25]),
    ROOF,
)
WITH_DOOR = (
    *CLOSED[:3],
    ([0.2, 3.2, 2.5], [4, 2.4, 1.25]),
    ([0.2, 3.2, 2.5], [4, -2.4, 1.25]),
    ([0.2, 1.6, 0.4], [4, 0, 2.3]),
    ROOF,
)
WITH_FLOOR = (*WITH_DOOR, ([8.0, 8.0, 0.04], [0, 0, 0.02]))
SOLID = (([8.0, 8.0, 2.5], [0, 0, 1.25]), ROOF)


def _house(folder, boxes):
    """Return a world with a house of one piece."""
    lines, first = [], 1
    for size, at in boxes:
        mesh = tessellate(Box(tuple(size)))
        corners = mesh.vertices + np.array(at)
        lines += ["v " + " ".join(f"{c:g}" for c in corner) for corner in corners]
        lines += ["f " + " ".join(str(i + first) for i in face) for face in mesh.faces.tolist()]
        first += len(mesh.vertices)
    (folder / "house.obj").write_text("\n".join(lines))
    house = {"file": str(folder / "house.obj"), "name": "house", "fixed": True, "pose": {"z": 0}}
    return {"name": "yard", "ground": {"type": "flat"}, "models": [house]}


@pytest.mark.slow
def test_the_place_without_z_that_is_told_to_a_robot_in_a_house_is_free(tmp_path):
    world = _house(tmp_path, CLOSED)
    place = free_place(refused(jackal(x=-3.95, z=0.15), world=world))
    simulation = build(scenario(jackal(x=place[0], y=place[1]), world=world))
    assert simulation.state.bodies[simulation.rig.vehicles[0].root]["position"][2] < 0.1


@pytest.mark.parametrize(
    ("boxes", "x", "height"),
    [
        (CLOSED, 0.0, 0.0),
        (WITH_DOOR, 0.0, 0.0),
        (WITH_DOOR, 4.0, 0.0),  # in the door
        (WITH_DOOR, 4.4, 0.0),  # half under the eaves
        (WITH_FLOOR, 0.0, 0.04),
        (SOLID, 0.0, 2.675),
    ],
)
def test_a_robot_without_z_stands_in_a_house_of_one_piece_unless_it_is_solid(
    tmp_path, boxes, x, height
):
    simulation = build(scenario(jackal(x=x), world=_house(tmp_path, boxes)))
    found = simulation.state.bodies[simulation.rig.vehicles[0].root]["position"][2]
    assert found == pytest.approx(height + 0.063, abs=0.01)


def test_joints_of_a_robot_that_was_put_on_a_roof_can_be_set(tmp_path):
    session = Session(scenario(jackal(x=-8.0), world=_house(tmp_path, CLOSED)))
    control = Control(session)
    control.call("set_state", name="jackal", position=[0.0, 0.0, 2.74])
    control.call("set_joints", model="jackal", joints={"front_left_wheel": 0.5})
    assert session.simulation.state.joints["position"].max() == pytest.approx(0.5)


def test_a_robot_without_z_stands_on_a_hill_with_a_cave_and_is_told(tmp_path, caplog):
    world = _house(tmp_path, WITH_FLOOR) | {"ground": {"type": "none"}}
    simulation = build(scenario(jackal(), world=world))
    found = simulation.state.bodies[simulation.rig.vehicles[0].root]["position"][2]
    assert found == pytest.approx(2.675 + 0.063, abs=0.01)
    assert "2.6 m above 'house'" in caplog.text


# it reaches into the outer half of a Jackal's wheel, beside its middle and not into its body
POLE = {
    "name": "pole",
    "shape": {"type": "cylinder", "radius": 0.15, "length": 2.0},
    "pose": {"x": 0.1, "y": 0.345},
}


@pytest.mark.parametrize("engine", [name for name in ENGINES if name != "kinematic"])
def test_a_pole_in_a_wheel_is_found_wherever_it_is_in_the_wheel(engine):
    sentence = refused(jackal(), objects=[POLE], physics={"engine": engine})
    assert "inside 'pole'" in sentence
    place = free_place(sentence)
    there = jackal(x=place[0], y=place[1])
    simulation = build(scenario(there, objects=[POLE], physics={"engine": engine}))
    assert _thrown(simulation) < 0.1


def _thrown(simulation):
    """Return the highest speed of a robot in the first half second."""
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    speeds = []
    for _ in range(50):
        simulation.run(0.01)
        speeds.append(float(np.linalg.norm(body["velocity"])))
    return max(speeds)


def test_the_place_told_to_one_robot_is_free_of_the_wheels_of_the_other():
    husky = {"model": "husky", "name": "husky", "pose": {}}
    place = free_place(refused(jackal("one", y=0.1), husky, objects=[]))
    simulation = build(scenario(jackal("one", x=place[0], y=place[1]), husky, objects=[]))
    assert _thrown(simulation) < 0.1


def test_a_car_is_not_told_a_place_with_its_wheels_at_an_edge():
    deck = {
        "name": "deck",
        "shape": {"type": "box", "size": [6, 6, 1]},
        "pose": {"x": -3, "z": 0.5},
    }
    box = {
        "name": "box",
        "shape": {"type": "box", "size": [0.8, 2.5, 0.5]},
        "pose": {"x": -0.68, "z": 1.25},
    }
    car = {"model": "autominy", "name": "car", "pose": {"x": -0.38}}
    with pytest.raises(ConfigError) as told:
        build(scenario(car, objects=(deck, box)))
    x, y = free_place(str(told.value))
    simulation = build(scenario({**car, "pose": {"x": x, "y": y}}, objects=(deck, box)))
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    before = body["position"].copy()
    simulation.run(1.0)
    assert body["position"] == pytest.approx(before, abs=0.01)


def test_a_tank_is_not_told_a_place_half_on_a_floating_shelf():
    shelf = _slab("shelf", [2.0, 2.0, 0.05], z=0.25)
    tank = {"model": "tank", "name": "tank", "pose": {"x": 0.5, "y": 0.1}}
    x, y = free_place(refused(tank, objects=[shelf]))
    simulation = build(scenario(tank | {"pose": {"x": x, "y": y}}, objects=[shelf]))
    body = simulation.state.bodies[simulation.rig.vehicles[0].root]
    before = body["position"].copy()
    simulation.run(1.0)
    assert body["position"] == pytest.approx(before, abs=0.02)


def test_a_robot_without_z_is_not_thrown_off_bumps_that_its_wheels_are_on():
    bumps = [_slab(f"bump {x}", [0.1, 0.1, 0.12], x=x, y=0.285, z=0.0) for x in (0.2, 0.3)]
    husky = {"model": "husky", "name": "husky", "pose": {}}
    assert _thrown(build(scenario(husky, objects=bumps))) < 0.3


def test_a_robot_in_a_tree_does_not_stand_on_its_branches():
    world = {"ground": {"type": "flat"}, "name": "wood"}
    world["things"] = [{"what": "tree", "name": "tree", "pose": {}}]
    create = {"model": "create", "name": "create", "pose": {"x": 0.2, "y": 0.1}}
    data = {"name": "s", "world": world, "robots": [create]}
    with pytest.raises(ConfigError, match=r"inside 'tree' at x = 0.2, y = 0.1, z = -0.0"):
        build(from_data(Scenario, data, "s"))


def test_an_object_that_is_added_into_a_wheel_is_refused_and_changes_nothing():
    session = Session(scenario(jackal("one"), objects=[]))
    session.simulation.run(0.1)
    before = session.simulation.state_hash
    thing = from_data(ObjectSpec, POLE, "pole")
    with pytest.raises(ConfigError, match=r"'pole' would be 0\.\d+ m inside 'one'"):
        session.add(thing)
    assert session.simulation.state_hash == before


def _driven_away(engine):
    """Return a session whose robot is elsewhere, with a block where it began, and its services."""
    session = Session(scenario(jackal("one"), objects=[], physics={"engine": engine}))
    control = Control(session)
    control.call("set_state", name="one", position=[4.0, 0.0, 0.07])
    session.simulation.run(0.1)
    session.add(ObjectSpec(name="block", shape=_box(), pose=PoseSpec(0.1, z=0.1)))
    session.simulation.run(0.1)
    return session, control


@pytest.mark.parametrize("engine", list(ENGINES))
@pytest.mark.parametrize("service", ["reset", "reset_world", "put_back"])
def test_nobody_is_put_back_into_what_stands_at_the_start_now(engine, service):
    session, control = _driven_away(engine)
    before = session.simulation.state_hash, session.simulation.time_ns
    with pytest.raises(ConfigError, match=r"'one' would start 0\.\d+ m inside 'block'"):
        control.call(service)
    assert (session.simulation.state_hash, session.simulation.time_ns) == before
    session.remove("block")
    control.call(service)
    position = session.simulation.state.bodies[session.simulation.rig.vehicles[0].root]["position"]
    assert position[:2] == pytest.approx([0.0, 0.0], abs=0.01)


@pytest.mark.parametrize("engine", list(ENGINES))
def test_a_robot_below_a_thin_floor_is_refused(engine):
    world = {"name": "floor", "ground": {"type": "flat", "size": [20.0, 20.0]}}
    data = {"name": "s", "world": world, "robots": [jackal(z=-0.4)], "physics": {"engine": engine}}
    with pytest.raises(ConfigError, match="'ground'"):
        build(from_data(Scenario, data, "s"))


def test_a_place_or_speed_that_would_end_the_run_is_refused():
    session = Session(scenario(jackal("one")))
    control, before = Control(session), session.simulation.state_hash
    box = {"type": "box", "size": [1.0, 1.0, 1.0]}
    for service, arguments in (
        ("add_object", {"name": "far", "shape": box, "mass": 1.0, "pose": {"z": 1e99}}),
        ("add_robot", {"model": "jackal", "name": "far", "pose": {"x": 1e99}}),
        ("move", {"name": "one", "x": 1e7, "z": 1.0}),
        ("set_state", {"name": "one", "position": [0.0, 1e9, 0.0]}),
        ("set_state", {"name": "one", "velocity": [0.0, 2000.0, 0.0]}),
    ):
        with pytest.raises(ConfigError, match=r"cannot be at|cannot move at"):
            control.call(service, **arguments)
    assert session.simulation.state_hash == before


def test_a_movable_thing_that_starts_in_the_ground_is_told_of(caplog):
    build(scenario(objects=[_loose("sunk", 0.0) | {"pose": {"z": -0.1}}]))
    assert re.search(r"'sunk' starts 0\.\d+ m inside 'ground'", caplog.text)
