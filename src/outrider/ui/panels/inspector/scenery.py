"""Scenery in the inspector: library objects can be moved and edited, the rest is only shown."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from nicegui import ui

from outrider.scenarios.session.session import Session
from outrider.specs.world import PoseSpec, ThingSpec
from outrider.ui import world_settings
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.pose_grid import pose_grid
from outrider.ui.panels.inspector.section import Refreshable, fact, line, section


@dataclass(frozen=True, slots=True)
class _SceneryFacts:
    links: int
    shapes: int
    materials: list[str]
    thing: ThingSpec | None


async def inspect_scenery(context: Context, node: Node) -> list[Refreshable]:
    """Show a piece of scenery and its editable values."""
    session = context.editor.session
    facts = await context.editor.between(lambda: _facts(session, node.model))
    if facts.thing is not None:
        _Thing(context, facts.thing).build()
    with section("Scenery", "park"):
        fact("Links", str(facts.links))
        fact("Shapes", str(facts.shapes))
        fact("Materials", ", ".join(facts.materials))
        if facts.thing is None:
            ui.label("It belongs to the world's file and cannot be moved.").classes("or-hint")
    return []


def _facts(session: Session, name: str) -> _SceneryFacts:
    world = session.simulation.rig.assembly.world
    model = next(m for m in world.models if m.name == name)
    shapes = [g for link in model.links for g in (link.visuals or link.colliders)]
    materials = sorted({g.material.name for g in shapes})
    return _SceneryFacts(
        len(model.links), len(shapes), materials, world_settings.thing_of(session, name)
    )


class _Thing:
    """The fields of a procedural object."""

    def __init__(self, context: Context, thing: ThingSpec) -> None:
        self._context = context
        self._thing = thing

    def build(self) -> None:
        """Show them."""
        thing, fixed = self._thing, self._context.read_only
        with section("Place", "open_with"):
            pose_grid(thing.pose, self._place, read_only=fixed)
            ui.label("It stands on the ground until it is given a height.").classes("or-hint")
        with section(thing.what.capitalize(), "forest"), line():
            NumberField("size", thing.size, self._resize, unit="×", read_only=fixed)
            NumberField("seed", float(thing.seed), self._reseed, read_only=fixed)
        if not fixed:
            away = ui.button("Take it away", icon="delete", color=None, on_click=self._away)
            away.props('flat dense no-caps size=sm data-act="remove thing"').classes("or-small")

    async def _place(self, pose: PoseSpec, said: str) -> str:
        return await self._set(lambda thing: replace(thing, pose=pose), said)

    async def _resize(self, value: float) -> str:
        if not 0 < value <= 1000:
            return f"a size lies above 0 and up to 1000, got {value:g}"
        return await self._set(lambda thing: replace(thing, size=value), f"size {value:g}")

    async def _reseed(self, value: float) -> str:
        if value < 0 or not value.is_integer() or value >= 2**32:
            return f"a seed is a whole number from 0 on, got {value:g}"
        return await self._set(lambda thing: replace(thing, seed=int(value)), f"seed {value:g}")

    async def _away(self) -> None:
        if not await self._set(lambda _: None, "taken away"):
            self._context.select(None)

    async def _set(self, change: Callable[[ThingSpec], ThingSpec | None], said: str) -> str:
        session, name = self._context.editor.session, self._thing.name
        return await self._context.apply(
            lambda: world_settings.with_thing(session, name, change),
            f"{name}: {said}",
        )
