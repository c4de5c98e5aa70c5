"""The registry of components, and how a file's entry becomes one."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, cast

from outrider.components.code_file import class_in
from outrider.components.component import Component
from outrider.core.errors import ComponentError, ConfigError
from outrider.core.registry import Registry
from outrider.core.structure import Data, from_data
from outrider.specs.component import RESERVED, ComponentEntry, read_component_entry

COMPONENTS = Registry(
    "component",
    {
        "conveyor": "outrider.components.builtin.conveyor:Conveyor",
        "gate": "outrider.components.builtin.gate:Gate",
        "joint-controller": "outrider.components.builtin.joint_controller:JointController",
        "lift": "outrider.components.builtin.lift:Lift",
        "planar-move": "outrider.components.builtin.planar_move:PlanarMove",
    },
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A component with its parameters checked, and how it is attached."""

    component: Component
    entry: ComponentEntry
    own: Data  # its parameters, as they were written
    where: str = ""  # the place in the file, for errors

    @property
    def class_name(self) -> str:
        """The name of its class, or of its type."""
        return self.entry.type or type(self.component).__name__

    def again(self) -> "Plan":
        """Return it as its file makes it now."""
        return _planned(self.entry, self.own, self.where) if self.entry.file else self


def plan_component(data: Mapping[str, object], where: str, within: str = "") -> Plan:
    """Read an entry and check its parameters; names in it are ``within`` a robot, if given."""
    entry, own = read_component_entry(data, where)
    if within:
        entry = replace(entry, on=f"{within}/{entry.on}" if entry.on else within)
    return _planned(entry, own, where)


def plan_of(
    component: Component | type[Component], entry: ComponentEntry, own: Mapping[str, object]
) -> Plan:
    """Return the plan of a component of a class in Python; its ``own`` parameters, or an object."""
    kind = component if isinstance(component, type) else type(component)
    _check_names(kind, kind.__name__)
    if isinstance(component, type):
        return Plan(from_data(component, own, kind.__name__), entry, dict(own), kind.__name__)
    return Plan(replace(cast(Any, component), **own), entry, dict(own), kind.__name__)


def component_class(entry: ComponentEntry, where: str) -> type[Component]:
    """Return the class of an entry: from its file, or registered under its type."""
    if entry.file:
        return class_in(entry.file, entry.class_, where)
    try:
        return cast(type[Component], COMPONENTS.load(entry.type))
    except ConfigError as error:
        raise ComponentError(f"{where}: {error}") from None


def _planned(entry: ComponentEntry, own: Data, where: str) -> Plan:
    kind = component_class(entry, where)
    _check_names(kind, where)
    return Plan(from_data(kind, own, f"{where}: {kind.__name__}"), entry, own, where)


def _check_names(kind: type[Component], where: str) -> None:
    for field in fields(cast(Any, kind)):
        if field.name in RESERVED:
            raise ComponentError(
                f"{where}: {kind.__name__}: a parameter cannot be called '{field.name}':"
                " every component has that key"
            )
