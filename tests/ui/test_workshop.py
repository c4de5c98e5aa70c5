"""Robots and models put together part by part, without a browser."""

from functools import partial
from pathlib import Path

import pytest
from editor_bench import YARD

from outrider.core.errors import ConfigError
from outrider.scenarios.load import loads
from outrider.scenarios.session.changes import AddSensor
from outrider.scenarios.session.session import Session
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, CylinderSpec, PoseSpec
from outrider.ui import editing
from outrider.ui.workshop import files, links, model_parts, opening
from outrider.ui.workshop.robot_parts import NewPart, NewWheel, with_part, with_wheel, without_part
from outrider.vehicles.robot import load_robot


@pytest.fixture
def session() -> Session:
    return Session(opening.new_robot("rover", "four wheels"))


def mass(session: Session) -> float:
    return sum(body.inertial.mass for body in session.simulation.rig.assembly.bodies)


@pytest.mark.parametrize("drive", opening.DRIVES)
def test_a_new_robot_stands_on_its_wheels_and_drives(drive: opening.Drive) -> None:
    session = Session(opening.new_robot("rover", drive))
    robot = session.simulation.robots["rover"]
    for _ in range(400):
        robot.drive(0.5, 0.0)
        session.simulation.step()
    assert robot.pose.position[0] == pytest.approx(0.45, abs=0.1)
    assert abs(robot.pose.position[1]) < 0.02


def test_a_part_goes_on_any_link_and_can_carry_another_and_a_sensor(session: Session) -> None:
    before = mass(session)
    mast = NewPart("mast", CylinderSpec(radius=0.03, length=0.4), PoseSpec(z=0.27), mass=0.7)
    session.apply(files.rebuilt(session, "rover", partial(with_part, link="base_link", part=mast)))
    head = NewPart("head", BoxSpec(size=(0.1, 0.2, 0.1)), PoseSpec(z=0.25), 0.3, joint="revolute")
    session.apply(files.rebuilt(session, "rover", partial(with_part, link="mast", part=head)))
    session.apply(AddSensor(SensorEntry("scan", "sick-lms111", "head", PoseSpec(z=0.1)), "rover"))
    assert mass(session) == pytest.approx(before + 1.0)
    scanner = next(m for m in session.simulation.mounted if m.name == "rover/scan")
    name = session.simulation.rig.assembly.bodies[scanner.site.body].name
    assert name == "rover/head"
    session.undo()
    session.undo()
    assert mass(session) == pytest.approx(before + 0.7)


def test_wheels_are_added_to_their_side_moved_and_taken_away(session: Session) -> None:
    wheel = NewWheel("middle_left", 0.1, 0.06, PoseSpec(y=0.30, z=-0.05))
    session.apply(
        files.rebuilt(session, "rover", partial(with_wheel, link="base_link", wheel=wheel))
    )
    drive = files.robot_of(session, "rover").spec.drivetrain
    assert drive.left == ("front_left_wheel", "rear_left_wheel", "middle_left")  # type: ignore[attr-defined]
    assert drive.track == pytest.approx((0.24 + 0.24 + 0.30) / 3 + 0.24)  # type: ignore[attr-defined]
    away = partial(without_part, link="middle_left_link")
    session.apply(files.rebuilt(session, "rover", away))
    wide = partial(links.placed, link="rear_left_wheel_link", pose=PoseSpec(-0.19, 0.34, -0.05))
    session.apply(files.rebuilt(session, "rover", wide))
    drive = files.robot_of(session, "rover").spec.drivetrain
    assert drive.track == pytest.approx(0.53)  # type: ignore[attr-defined]


def test_a_link_is_weighed_painted_and_made_larger(session: Session) -> None:
    for change in (
        partial(links.weighing, link="base_link", mass=20.0),
        partial(links.painted, link="base_link", colour=(1.0, 0.0, 0.0, 1.0)),
        partial(links.shaped, link="base_link", shape=BoxSpec(size=(0.7, 0.4, 0.15))),
    ):
        session.apply(files.rebuilt(session, "rover", change))
    found = links.facts_of(files.robot_of(session, "rover").model, "base_link")
    assert found.mass == pytest.approx(20.0)
    assert found.colour == pytest.approx((1.0, 0.0, 0.0, 1.0))
    assert found.shape == BoxSpec(size=(0.7, 0.4, 0.15))
    assert found.pose is None


def test_what_cannot_be_built_is_refused_and_changes_nothing(session: Session) -> None:
    before = session.scenario
    box = BoxSpec(size=(0.1, 0.1, 0.1))
    for change, said in (
        (
            partial(with_part, link="base_link", part=NewPart("a b", box)),
            "is not a valid part name",
        ),
        (partial(with_part, link="base_link", part=NewPart("base_link", box)), "already"),
        (partial(with_part, link="base_link", part=NewPart("a", box, mass=-1)), "above 0"),
        (partial(without_part, link="base_link"), "is the root link"),
        (partial(links.weighing, link="base_link", mass=0.0), "above 0"),
    ):
        with pytest.raises(ConfigError, match=said):
            session.apply(files.rebuilt(session, "rover", change))
    assert session.scenario == before


def test_a_robot_is_saved_with_the_sensors_it_was_given(tmp_path: Path) -> None:
    session = Session(loads(YARD))
    file = files.save_robot_as(session, "jackal", tmp_path, "my_jackal")
    assert files.robot_files(tmp_path) == [file]
    again = load_robot(file)
    assert {"scanner", "eye", "imu"} <= {sensor.name for sensor in again.spec.sensors}
    with pytest.raises(ConfigError, match="is no robot's name"):
        files.save_robot_as(session, "jackal", tmp_path, "../away")


def test_a_model_is_put_together_saved_and_placed_again(tmp_path: Path) -> None:
    session = Session(opening.new_model("cart"))
    session.apply(model_parts.with_object_part(session, "cart", "cylinder"))
    session.apply(
        model_parts.with_part_values(session, "cart", 1, pose=PoseSpec(z=0.45), material="steel")
    )
    session.apply(model_parts.with_object_part(session, "cart", "sphere"))
    session.apply(model_parts.without_object_part(session, "cart", 2))
    file = files.save_model_as(session, "cart", tmp_path, "cart")
    yard = Session(loads(YARD))
    yard.apply(editing.added_model(yard, file, "jackal"))
    yard.simulation.run(1.0)
    pose = editing.pose_of(yard, "cart")
    assert pose.position[0] == pytest.approx(2.0, abs=0.05)
    model = next(m for m in yard.simulation.rig.assembly.world.models if m.name == "cart")
    assert len(model.links[0].visuals) == 2


def test_a_robot_opens_alone_with_what_it_was_given() -> None:
    session = Session(loads(YARD))
    alone = opening.alone(session, "jackal")
    assert [entry.name for entry in alone.robots] == ["jackal"]
    assert {sensor.name for sensor in alone.robots[0].sensors} == {"scanner", "eye"}
    session.open(alone)
    assert [m.name for m in session.simulation.rig.assembly.world.models] == ["ground", "jackal"]
