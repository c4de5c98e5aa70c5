import math

import numpy as np
import pytest
from sensor_stand import drive, heard, listen, sensor_of, simulate

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec

BUMPER = SensorEntry("bump", "create-bumper", link="base_link")
CLIFF = SensorEntry("edge", "create-cliff")
DROP = SensorEntry("drop", "create-wheel-drop")


def wall_at(x: float, y: float = 0.0, yaw_deg: float = 0.0, mass: float = 0.0) -> dict:
    pose = {"x": x, "y": y, "yaw_deg": yaw_deg}
    box = {"type": "box", "size": [0.2, 3.0, 0.4]}
    return {"objects": [{"name": "wall", "shape": box, "pose": pose, "mass": mass}]}


def post_at(angle_deg: float, distance: float = 0.6) -> dict:
    """A post that a Create, driving along x, meets at an angle from its own middle."""
    angle = math.radians(angle_deg)
    pose = {"x": distance, "y": (0.174 + 0.05) * math.sin(angle)}
    shape = {"type": "cylinder", "radius": 0.05, "length": 0.4}
    return {"objects": [{"name": "post", "shape": shape, "pose": pose}]}


def table(**more: float) -> dict:
    """A table 0.7 m high without a floor around it; its edges are at x = +-0.5 and y = +-0.5."""
    box = {"type": "box", "size": [1.0, 1.0, 0.1]}
    top = {"name": "table", "shape": box, "pose": {"z": 0.65}, "material": "wood"}
    return {"ground": {"type": "none"}, "objects": [top], **more}


@pytest.mark.parametrize(
    ("angle_deg", "switches"),
    [
        (0, (True, True, True)),
        (40, (True, False, False)),
        (-40, (False, False, True)),
        (70, (True, False, False)),
        (5, (True, True, True)),
    ],
)
def test_a_bumper_tells_left_from_right_and_both_from_ahead(angle_deg, switches) -> None:
    sim = simulate("create", BUMPER, world=post_at(angle_deg))
    box = listen(sim, "/bumper")
    drive(sim, 0.3, seconds=0.9)
    before = heard(box)
    assert not any(m.left or m.right for m in before)
    drive(sim, 0.3, seconds=1.5)
    pressed = [m for m in heard(box) if m.left or m.centre or m.right]
    assert (pressed[0].left, pressed[0].centre, pressed[0].right) == switches


def test_a_bumper_stays_pressed_against_a_wall_and_opens_when_the_robot_backs_off() -> None:
    sim = simulate("create", BUMPER, world=wall_at(0.5))
    drive(sim, 0.3, seconds=2.0)
    bumper = sensor_of(sim, "bump")
    box = listen(sim, "/bumper")
    drive(sim, 0.3, seconds=3.0)
    assert all(m.left and m.centre and m.right for m in heard(box))
    assert bumper.sectors
    drive(sim, 0.0, seconds=0.5)
    drive(sim, -0.3, seconds=0.5)
    assert not bumper.sectors


def test_a_blow_from_behind_does_not_press_the_bumper() -> None:
    sim = simulate("create", BUMPER, world=wall_at(-0.5))
    box = listen(sim, "/bumper")
    drive(sim, -0.3, seconds=2.0)
    assert [c.second if "robot" in c.first else c.first for c in sim.collisions] == ["wall"]
    assert not any(m.left or m.right for m in heard(box))


def test_a_bumper_feels_a_slanted_wall_on_the_side_that_meets_it() -> None:
    for yaw_deg, side in ((30.0, "left"), (-30.0, "right")):
        sim = simulate("create", BUMPER, world=wall_at(0.6, yaw_deg=yaw_deg))
        box = listen(sim, "/bumper")
        drive(sim, 0.3, seconds=2.0)
        first = next(m for m in heard(box) if m.left or m.right)
        assert getattr(first, side)
        assert not (first.left and first.right)


def test_cliff_sensors_find_the_edge_of_a_table_one_after_another() -> None:
    sim = simulate("create", CLIFF, world=table(), at=(0.0, 0.0, 0.0))
    box = listen(sim, "/cliff")
    drive(sim, 0.1, seconds=4.0)
    messages = heard(box)
    assert messages[0].names == ["left", "front_left", "front_right", "right"]
    assert not messages[0].cliffs.any()
    order = [name for m in messages for name, cliff in zip(m.names, m.cliffs, strict=True) if cliff]
    assert set(order) == {"front_left", "front_right"}  # the others are 8 cm behind them
    first = next(m.header.stamp for m in messages if m.cliffs.any())
    # the front sensors are 0.15 m ahead: they pass the edge at 0.35 m
    assert first.sec + first.nanosec * 1e-9 == pytest.approx(0.35 / 0.1, abs=0.15)


def test_the_side_of_a_table_is_found_by_that_sides_sensor() -> None:
    sim = simulate("create", CLIFF, world=table(), at=(0.0, 0.38, 0.0))
    sim.run(0.1)
    edge = sensor_of(sim, "edge")
    assert edge.cliffs.tolist() == [True, False, False, False]
    assert edge.signals[0] == 0
    assert (edge.signals[1:] > 300).all()


def test_a_bright_floor_gives_a_stronger_signal_than_a_dark_one() -> None:
    signals = []
    for reflectivity in (0.17, 0.8):
        paint = {"reflectivity": reflectivity}  # smooth: rough ground lets the wheels sink in
        world = {"ground": {"type": "flat", "material": "paint"}, "materials": {"paint": paint}}
        sim = simulate("create", CLIFF, world=world)
        sim.run(0.1)
        signals.append(int(sensor_of(sim, "edge").signals.mean()))
    # 27 mm over the floor: (20 / 27)^2 of full scale, times 0.17 and 0.8
    assert signals[0] == pytest.approx(4095 * 0.17 * (20 / 27) ** 2, rel=0.1)
    assert signals[1] == pytest.approx(4095 * 0.8 * (20 / 27) ** 2, rel=0.1)


def test_wheels_drop_when_the_robot_is_lifted_and_return_when_it_stands() -> None:
    sim = simulate("create", DROP)
    box, drop = listen(sim, "/wheel_drop"), sensor_of(sim, "drop")
    sim.run(0.5)
    assert not any(m.dropped.any() for m in heard(box))
    place = sim.robots["robot"].pose
    for _ in range(60):  # held in the air
        lifted = Pose(place.position + np.array([0.0, 0.0, 0.2]), place.rotation)
        sim.rig.engine.place(sim.rig.vehicles[0].root, lifted, np.zeros(3), np.zeros(3))
        sim.step()
    assert drop.dropped.tolist() == [True, True, True]
    assert heard(box)[-1].names == ["left", "right", "castor"]
    sim.run(1.0)
    assert drop.dropped.tolist() == [False, False, False]


def test_a_wheel_over_the_edge_of_a_table_drops_alone() -> None:
    sim = simulate("create", DROP, world=table(), at=(0.0, 0.4, 0.0))
    drop = sensor_of(sim, "drop")
    for _ in range(80):  # it begins to tip over
        sim.step()
        if drop.dropped.any():
            break
    assert drop.dropped.tolist()[:2] == [True, False]


def test_a_collision_sensor_tells_of_a_blow_once_and_of_the_touch_as_long_as_it_lasts() -> None:
    entry = SensorEntry("felt", "collision", link="base_link")
    sim = simulate("create", entry, world=wall_at(0.6), at=(0.0, 0.0, 0.0))
    box = listen(sim, "/felt")
    drive(sim, 0.4, seconds=2.5)
    messages = heard(box)
    impacts = [impact for message in messages for impact in message.collisions]
    first = impacts[0]
    assert len(impacts) <= 2  # it bounces off a little
    assert first.first.startswith("robot/")
    assert first.second == "wall"
    # the bumper's front is 0.1715 m ahead of base_link; the wall is pushed forward
    assert first.point.x == pytest.approx(0.17, abs=0.01)
    assert first.normal.x == pytest.approx(1.0, abs=0.02)
    # it came with 3.5 kg and 0.4 m/s, and was pushed on by its wheels for the 10 ms of the impact
    assert 0.5 * 3.5 * 0.4 < sum(b.impulse for b in impacts[:2]) < 1.6 * 3.5 * 0.4
    assert messages[0].touching == []
    assert messages[-1].touching == ["wall"]


def test_only_the_parts_that_were_asked_for_feel() -> None:
    front = SensorEntry("front", "collision", set={"parts": ["bumper_link"]})
    rear = SensorEntry("rear", "collision", set={"parts": ["base_link"]})
    sim = simulate("create", front, rear, world=wall_at(0.5))
    boxes = [listen(sim, "/front"), listen(sim, "/rear")]
    drive(sim, 0.4, seconds=1.5)
    counts = [sum(len(m.collisions) for m in heard(box)) for box in boxes]
    assert counts[0] >= 1
    assert counts[1] == 0


def test_a_wall_can_feel_who_runs_into_it() -> None:
    entry = SensorEntry("plate", "collision", pose=PoseSpec(x=0.5, z=0.0), set={"parts": ["wall"]})
    sim = simulate("create", world=wall_at(0.6))
    standing = type(sim)(
        sim.rig.assembly.world.__class__("w", sim.rig.assembly.world.models[:-1]),
        [_participant(sim)],
        sensors=(entry,),
    )
    box = listen(standing, "/plate")
    drive(standing, 0.4, seconds=2.0)
    impacts = [impact for message in heard(box) for impact in message.collisions]
    assert impacts[0].first == "wall"
    assert impacts[0].second.startswith("robot/")
    assert impacts[0].normal.x == pytest.approx(-1.0, abs=0.02)


@pytest.mark.parametrize(
    ("entry", "complaint"),
    [
        (SensorEntry("p", "collision"), "'p' is in the world: give the parts"),
        (SensorEntry("p", "create-bumper"), "'p' is in the world: parts: .* 'bumper_link'; there"),
        (SensorEntry("p", "collision", set={"parts": ["wal"]}), r"'wal' \(did you mean 'wall'\?\)"),
    ],
)
def test_a_sensor_in_the_world_needs_parts_that_are_there(entry, complaint) -> None:
    sim = simulate("create", world=wall_at(0.6))
    world = type(sim.rig.assembly.world)("w", sim.rig.assembly.world.models[:-1])
    with pytest.raises(ConfigError, match=complaint):
        type(sim)(world, [], sensors=(entry,))


def _participant(sim):
    from outrider.sim.rig import Participant

    return Participant(sim.rig.vehicles[0].robot, "robot")


def test_sensors_of_wheels_need_a_robot() -> None:
    from outrider.sim.simulation import Simulation
    from outrider.world.model import World

    with pytest.raises(ConfigError, match="mount it on a robot"):
        Simulation(World("empty"), [], sensors=(SensorEntry("e", "jackal-encoders"),))


def test_unknown_wheels_get_a_near_match() -> None:
    drop = SensorEntry("d", "create-wheel-drop", set={"wheels": {"left": "left_whel_joint"}})
    with pytest.raises(ConfigError, match="did you mean 'left_wheel_joint'"):
        simulate("create", drop)
