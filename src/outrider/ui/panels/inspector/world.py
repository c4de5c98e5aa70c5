"""The world in the inspector."""

from typing import Any

import numpy as np

from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.section import fact, section


async def inspect_world(context: Context, node: Node) -> list[Any]:
    """Show what holds everywhere."""
    del node
    session = context.desk.session

    def facts() -> list[tuple[str, str]]:
        rig = session.simulation.rig
        world, physics = rig.assembly.world, session.scenario.physics
        size = np.zeros(3)
        if rig.scene.static is not None:
            size = rig.scene.static.surface.high - rig.scene.static.surface.low
        return [
            ("Scenario", session.scenario.name),
            ("World", world.name),
            ("Size", f"{size[0]:.1f} × {size[1]:.1f} m"),
            ("Triangles", f"{rig.scene.triangles:,}"),
            ("Models", str(len(world.models))),
            ("Bodies", str(len(rig.assembly.bodies))),
            ("Gravity", f"{-world.gravity[2]:.3f} m/s²"),
            ("Engine", physics.engine),
            ("Step", f"{1000 * physics.step_s:g} ms"),
            ("Seed", str(session.scenario.seed)),
            ("Origin", f"{world.origin.latitude_deg:.5f}°, {world.origin.longitude_deg:.5f}°"),
        ]

    with section("World", "public"):
        for name, value in await context.desk.between(facts):
            fact(name, value)
    return []
