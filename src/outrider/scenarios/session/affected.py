"""What a change of a scenario affects: models that begin anew, objects of another shape."""

from typing import TypeAlias

from outrider.core.frames import Pose
from outrider.scenarios.build import world_spec
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session import changes
from outrider.scenarios.session.placing import place_in
from outrider.specs.world import ObjectSpec, PoseSpec

DirectPlace: TypeAlias = tuple[str, PoseSpec | Pose]


def fresh_models(change: changes.Change, scenario: Scenario) -> set[str]:
    """Return the models that do not continue unchanged."""
    if isinstance(change, changes.Move):
        return {change.name}
    if isinstance(change, changes.LoadWorld):
        return {entry.name for entry in scenario.robots}
    return set()


def reshaped_objects(change: changes.Change, before: Scenario) -> set[str]:
    """Return the object that a change gives another shape or place, or sets free."""
    if not isinstance(change, changes.SetObject):
        return set()
    new = change.object
    olds = [old for old in world_spec(before).objects if old.name == new.name]
    return {old.name for old in olds if _form(old) != _form(new)}


def _form(item: ObjectSpec) -> tuple[object, ...]:
    return item.shape, item.parts, item.pose, item.mass, item.path


def direct_place(change: changes.Change, scenario: Scenario) -> DirectPlace | None:
    """Return who can be moved without a rebuild, and where to; None: a change needs one."""
    if not isinstance(change, changes.Move):
        return None
    where = place_in(scenario, change.name)
    return None if where is None else (change.name, where)
