"""A person, a car or an animal in the inspector."""

from nicegui import ui

from outrider.actors.spec import ActorSpec, actor_names
from outrider.scenarios.build import world_spec
from outrider.scenarios.session.session import Session
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.section import Refreshable, fact, section


async def inspect_actor(context: Context, node: Node) -> list[Refreshable]:
    """Show the entry that an actor was made from."""
    session = context.editor.session
    entry = await context.editor.between(lambda: _entry(session, node.model))
    with section("Actor", "directions_walk"):
        fact("Type", entry.type)
        fact("Entry", entry.name)
        fact("Count", str(entry.count))
        fact("Speed", f"{entry.speed:g} m/s")
        fact("Robots", entry.robots)
        ui.label("It moves by itself, as the key 'actors' says.").classes("or-hint")
    return []


def _entry(session: Session, name: str) -> ActorSpec:
    entries = world_spec(session.scenario).actors
    return next(entry for entry in entries if name in actor_names(entry))
