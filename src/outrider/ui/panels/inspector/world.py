"""The world in the inspector: settings that apply everywhere."""

from dataclasses import dataclass

import numpy as np

from outrider.scenarios.session.session import Session
from outrider.specs.world import RGBA
from outrider.ui import world_settings
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.colour_field import colour_field
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.section import Refreshable, fact, line, section

_STRONGEST = 100.0  # m/s^2


@dataclass(frozen=True, slots=True)
class _WorldFacts:
    rows: list[tuple[str, str]]
    gravity: float
    visibility: float
    sky: tuple[float, float, float]
    ambient: tuple[float, float, float]


async def inspect_world(context: Context, _node: Node) -> list[Refreshable]:
    """Show the world's settings."""
    session = context.editor.session
    facts = await context.editor.between(lambda: _facts(session))
    with section("World", "public"):
        for name, value in facts.rows:
            fact(name, value)
    _everywhere(context, facts)
    return []


def _everywhere(context: Context, facts: _WorldFacts) -> None:
    fixed = context.read_only

    async def pull(value: float) -> str:
        if not 0 <= value <= _STRONGEST:
            return f"gravity lies between 0 and {_STRONGEST:g} m/s², got {value:g}"
        return await _set(context, f"gravity {value:g} m/s²", gravity=(0.0, 0.0, -value))

    async def see(value: float) -> str:
        if value < 0:
            return f"a visibility cannot be below 0, got {value:g}"
        return await _set(context, f"visibility {value:g} m", visibility=value)

    async def paint_sky(colour: RGBA, said: str) -> str:
        return await _set(context, said, sky=colour[:3])

    async def paint_shade(colour: RGBA, said: str) -> str:
        return await _set(context, said, ambient=colour[:3])

    with section("Gravity and air", "cloud"):
        with line():
            NumberField("gravity", facts.gravity, pull, unit="m/s²", read_only=fixed)
            NumberField("visibility", facts.visibility, see, unit="m", read_only=fixed)
        with line():
            colour_field(facts.sky, paint_sky, label="sky", read_only=fixed)
            colour_field(facts.ambient, paint_shade, label="ambient light", read_only=fixed)


def _facts(session: Session) -> _WorldFacts:
    rig = session.simulation.rig
    world, physics = rig.assembly.world, session.scenario.physics
    size = np.zeros(3)
    if rig.scene.static is not None:
        size = rig.scene.static.surface.high - rig.scene.static.surface.low
    rows = [
        ("Scenario", session.scenario.name),
        ("World", world.name),
        ("Size", f"{size[0]:.1f} × {size[1]:.1f} m"),
        ("Triangles", f"{world_settings.triangles_seen(session):,}"),
        ("Models", str(len(world.models))),
        ("Bodies", str(len(rig.assembly.bodies))),
        ("Engine", physics.engine),
        ("Step", f"{1000 * physics.step_s:g} ms"),
        ("Seed", str(session.scenario.seed)),
        ("Origin", f"{world.origin.latitude_deg:.5f}°, {world.origin.longitude_deg:.5f}°"),
    ]
    return _WorldFacts(rows, -world.gravity[2], world.visibility, world.sky, world.ambient)


async def _set(context: Context, said: str, **values: object) -> str:
    session = context.editor.session
    return await context.apply(
        lambda: world_settings.with_world(session, **values), f"world: {said}"
    )
