"""A sensor in the inspector: rate, pose, topics, noise and all other parameters."""

import dataclasses
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from outrider.core.errors import ConfigError
from outrider.core.structure import Data, with_fields
from outrider.scenarios.session.changes import SetSensor
from outrider.sim.mounting import Mounted
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.pose_grid import pose_grid
from outrider.ui.panels.inspector.section import Refreshable, fact, line, section
from outrider.ui.panels.inspector.sensor_view import view_switches
from outrider.ui.panels.inspector.text_field import text_field
from outrider.ui.workshop.files import removed_sensor

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


async def inspect_sensor(context: Context, node: Node) -> list[Refreshable]:
    """Show a sensor; a changed value mounts it again at the same pose."""
    session = context.editor.session
    name = node.name.removeprefix("/")

    def found() -> Mounted:
        for mounted in session.simulation.mounted:
            if mounted.name == name:
                return mounted
        raise ConfigError(f"there is no sensor '{name}'")

    mounted = await context.editor.between(found)
    view_switches(context, mounted)
    _delivery(context, mounted)
    _place(context, mounted)
    _parameters(context, mounted)
    if not context.read_only:
        _away_button(context, mounted)
    return []


def _away_button(context: Context, mounted: Mounted) -> None:
    session, name, owner = context.editor.session, mounted.plan.entry.name, mounted.owner

    async def away() -> None:
        wrong = await context.apply(
            lambda: removed_sensor(session, name, owner),
            f"{mounted.name}: taken away",
        )
        if not wrong:
            context.select(None)

    button = ui.button("Take it away", icon="delete", color=None, on_click=away)
    button.props('flat dense no-caps size=sm data-act="remove sensor"').classes("or-small")


def _setter(
    context: Context, mounted: Mounted, key: str, unit: str = ""
) -> Callable[[float], Awaitable[str]]:
    async def apply(value: float) -> str:
        entry = with_fields(mounted.plan.entry, **{key: value})
        return await _set(context, mounted, entry, f"{key} {value:g} {unit}")

    return apply


async def _set(context: Context, mounted: Mounted, entry: SensorEntry, said: str) -> str:
    return await context.apply(lambda: SetSensor(entry, mounted.owner), f"{mounted.name}: {said}")


def _delivery(context: Context, mounted: Mounted) -> None:
    plan, fixed = mounted.plan, context.read_only
    entry = plan.entry
    with section("Measuring", "timer"):
        fact("Model", entry.model)
        rows = (
            (
                ("rate", "rate_hz", "Hz", plan.rate_hz),
                ("latency", "latency_s", "s", plan.latency_s),
            ),
            (
                ("jitter", "jitter_s", "s", entry.jitter_s),
                ("lost share", "dropout", "", entry.dropout),
            ),
        )
        for row in rows:
            with line():
                for label, key, unit, value in row:
                    apply = _setter(context, mounted, key, unit)
                    NumberField(label, value, apply, unit=unit, read_only=fixed)

        async def switch(event: ValueChangeEventArguments[bool | None]) -> None:
            await _set(
                context,
                mounted,
                replace(entry, dropout=0.0 if event.value else 1.0),
                "on" if event.value else "off",
            )

        power = ui.switch("On", value=entry.dropout < 1.0, on_change=switch)
        power.props('dense data-field="on"').tooltip("Off: its messages do not arrive")
        if fixed:
            power.disable()
        for output, topic in mounted.topics.items():
            _topic(context, mounted, output, topic)


def _topic(context: Context, mounted: Mounted, output: str, topic: str) -> None:
    async def rename(text: str) -> str:
        topics = {**mounted.plan.entry.topics, output: text}
        return await _set(context, mounted, replace(mounted.plan.entry, topics=topics), text)

    text_field(f"topic: {output}", topic, rename, read_only=context.read_only)


def _place(context: Context, mounted: Mounted) -> None:
    entry = mounted.plan.entry

    async def move(pose: PoseSpec, said: str) -> str:
        return await _set(context, mounted, replace(entry, pose=pose), said)

    with section("Pose on the link", "open_with", opened=False):
        fact("Link", entry.link or "root")
        pose_grid(entry.pose, move, read_only=context.read_only)


def _parameters(context: Context, mounted: Mounted) -> None:
    """Show every number, switch and text among the sensor's parameters."""
    rows = list(_flat(mounted.plan.parameters, ()))
    if not rows:
        return
    with section("Parameters", "settings", opened=False):
        for path, value in rows:
            _parameter(context, mounted, path, value)


def _flat(
    value: "DataclassInstance", path: tuple[str, ...]
) -> list[tuple[tuple[str, ...], bool | float | str]]:
    found: list[tuple[tuple[str, ...], bool | float | str]] = []
    for part in dataclasses.fields(value):
        inner = getattr(value, part.name)
        if dataclasses.is_dataclass(inner) and not isinstance(inner, type):
            found += _flat(inner, (*path, part.name))
        elif isinstance(inner, bool | int | float | str):
            found.append(((*path, part.name), inner))
    return found


def _parameter(
    context: Context, mounted: Mounted, path: tuple[str, ...], value: bool | float | str
) -> None:
    label = ".".join(path)

    async def apply(new: float) -> str:
        whole = int(new) if isinstance(value, int) and float(new).is_integer() else new
        tree = _nested(mounted.plan.entry.set, path, whole)
        return await _set(context, mounted, replace(mounted.plan.entry, set=tree), f"{label} {new}")

    if isinstance(value, bool):

        async def flip(event: ValueChangeEventArguments[bool | None]) -> None:
            tree = _nested(mounted.plan.entry.set, path, bool(event.value))
            await _set(context, mounted, replace(mounted.plan.entry, set=tree), f"{label}")

        switch = ui.switch(label, value=value, on_change=flip).props("dense")
        if context.read_only:
            switch.disable()
    elif isinstance(value, int | float):
        NumberField(label, float(value), apply, read_only=context.read_only)
    elif value:
        fact(label, value)


def _nested(before: Data, path: tuple[str, ...], value: object) -> Data:
    """Return settings with one more nested value."""
    key, *rest = path
    if not rest:
        return {**before, key: value}
    inner = before.get(key)
    below = inner if isinstance(inner, dict) else {}
    return {**before, key: _nested(below, tuple(rest), value)}
