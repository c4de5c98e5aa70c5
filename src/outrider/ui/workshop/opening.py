"""Opens robots and models alone on a plain floor, to be edited."""

from dataclasses import replace
from typing import Literal, TypeAlias

from outrider.builders.robot import RobotBuilder
from outrider.builders.robot_parts import Castor, Wheel
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session.session import Session
from outrider.specs.world import IN_PLACE, BoxSpec, FlatGround, ObjectSpec, PartSpec, WorldSpec
from outrider.ui.editing import entry_of, object_of
from outrider.ui.projects import checked_name

Drive: TypeAlias = Literal["four wheels", "two wheels and a castor", "car"]
DRIVES: tuple[Drive, ...] = ("four wheels", "two wheels and a castor", "car")

_FLOOR = WorldSpec(name="workshop", ground=FlatGround(size=(20.0, 20.0), material="concrete"))


def robot_alone(entry: RobotEntry) -> Scenario:
    """Return a scenario with only a robot and the sensors added to it."""
    alone = replace(entry, pose=None, motion=())
    return Scenario(name=entry.name, world=_FLOOR, robots=(alone,), duration_s=None)


def model_alone(item: ObjectSpec) -> Scenario:
    """Return a scenario with only an object."""
    here = replace(item, pose=replace(item.pose, x=0.0, y=0.0))
    return Scenario(name=item.name, world=_FLOOR, robots=(), obstacles=(here,), duration_s=None)


def alone(session: Session, name: str) -> Scenario:
    """Return a scenario with only one robot or object of a session."""
    if any(entry.name == name for entry in session.scenario.robots):
        return robot_alone(entry_of(session, name))
    return model_alone(object_of(session, name))


def new_robot(name: str, drive: Drive) -> Scenario:
    """Return a scenario with a new robot: a chassis on wheels."""
    builder = RobotBuilder(checked_name(name, "robot"), (0.6, 0.4, 0.15), 12.0)
    if drive == "two wheels and a castor":
        for side, y in (("left", 0.23), ("right", -0.23)):
            builder.add(Wheel(0.1, 0.04, name=f"{side}_wheel").move(0.12, y, -0.03))
        builder.add(Castor(0.05, name="castor").move(-0.22, 0.0, -0.08))
    else:
        steered: Literal["", "front"] = "front" if drive == "car" else ""
        driven: Literal["all", "rear"] = "rear" if drive == "car" else "all"
        builder.wheels(0.1, 0.06, 0.38, 0.48, steered=steered, driven=driven, z=-0.05)
    file = builder.file()
    return robot_alone(RobotEntry(model=str(file), name=name))


def new_model(name: str) -> Scenario:
    """Return a scenario with a new model: one box."""
    part = PartSpec(BoxSpec(size=(0.6, 0.4, 0.3)), IN_PLACE, colour=(0.90, 0.45, 0.20, 1.0))
    return model_alone(ObjectSpec(checked_name(name, "model"), mass=5.0, parts=(part,)))
