"""Scenery and lights in the inspector: they belong to the world's own file."""

from typing import Any

from nicegui import ui

from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.section import fact, section


async def inspect_scenery(context: Context, node: Node) -> list[Any]:
    """Show what a piece of scenery is made of."""
    session = context.desk.session

    def facts() -> tuple[int, int, list[str]]:
        world = session.simulation.rig.assembly.world
        model = next(m for m in world.models if m.name == node.model)
        shapes = [g for link in model.links for g in (link.visuals or link.colliders)]
        return len(model.links), len(shapes), sorted({g.material.name for g in shapes})

    links, shapes, materials = await context.desk.between(facts)
    with section("Scenery", "park"):
        fact("Links", str(links))
        fact("Shapes", str(shapes))
        fact("Materials", ", ".join(materials))
        ui.label("It comes with the world's file and stays where it is.").classes("or-hint")
    return []


async def inspect_light(context: Context, node: Node) -> list[Any]:
    """Show a light."""
    session = context.desk.session

    def light() -> Any:
        lights = session.simulation.rig.assembly.world.lights
        return next(found for found in lights if found.name == node.name)

    found = await context.desk.between(light)
    with section("Light", "light_mode"):
        fact("Kind", found.kind)
        fact("Direction", _numbers(found.direction))
        fact("Colour", _numbers(found.colour))
        fact("Intensity", f"{found.intensity:g}")
        fact("Shadows", "yes" if found.cast_shadows else "no")
    return []


def _numbers(values: tuple[float, ...]) -> str:
    return ", ".join(f"{value:g}" for value in values)
