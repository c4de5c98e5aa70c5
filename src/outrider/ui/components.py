"""Components as the inspector shows them, and changes to those of the scenario."""

from dataclasses import dataclass, fields, replace
from typing import Any

from outrider.components.catalogue import plan_component
from outrider.components.component_instance import ComponentInstance
from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import parse_yaml
from outrider.scenarios.session.changes import SetScenario
from outrider.scenarios.session.session import Session


@dataclass(frozen=True, slots=True)
class ComponentFacts:
    """One component: its parameters, and whether the scenario itself attached it."""

    name: str
    kind: str
    parameters: tuple[tuple[str, str], ...]
    fault: str
    removable: bool


def components_on(session: Session, name: str) -> list[ComponentFacts]:
    """Return the components on an item, in their order; call between two steps."""
    instances = [m for m in session.simulation.components if m.handle.on == name]
    return [_facts(session, instance) for instance in instances]


def with_component(session: Session, type_: str, on: str, parameters: str) -> SetScenario:
    """Attach a built-in or installed component; its parameters are lines of YAML."""
    own = parse_yaml(parameters, "parameters") if parameters.strip() else {}
    if "file" in own:
        raise ConfigError("parameters: a file of your own is attached in the scenario's file")
    data = {"type": type_, **({"on": on} if on else {}), **own}
    plan_component(data, "component")
    scenario = session.scenario
    return SetScenario(replace(scenario, components=(*scenario.components, data)))


def without_component(session: Session, name: str) -> SetScenario:
    """Remove a component that the scenario attached."""
    instance = next(m for m in session.simulation.components if m.name == name)
    number = _number(session, instance)
    if number < 0:
        raise ConfigError(f"'{name}' comes from the world or a robot, or was attached in Python")
    rest = [one for i, one in enumerate(session.scenario.components) if i != number]
    return SetScenario(replace(session.scenario, components=tuple(rest)))


def _facts(session: Session, instance: ComponentInstance) -> ComponentFacts:
    made: Any = instance.plan.component
    shown = tuple((f.name, str(getattr(made, f.name))) for f in fields(made))
    removable = _number(session, instance) >= 0
    return ComponentFacts(instance.name, instance.plan.class_name, shown, instance.fault, removable)


def _number(session: Session, instance: ComponentInstance) -> int:
    """Return which of the scenario's entries a component was made of, or -1."""
    start = f"{session.scenario.name}: components."
    where = instance.plan.where
    return int(where.removeprefix(start)) if where.startswith(start) else -1
