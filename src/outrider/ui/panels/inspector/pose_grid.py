"""The six numbers of a relative pose; each is applied on its own."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from outrider.specs.world import PoseSpec
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.section import line

ROWS = (
    (("x", "x", "m"), ("y", "y", "m"), ("z", "z", "m")),
    (("roll", "roll_deg", "°"), ("pitch", "pitch_deg", "°"), ("yaw", "yaw_deg", "°")),
)


def pose_grid(
    pose: PoseSpec,
    apply: Callable[[PoseSpec, str], Awaitable[str]],
    *,
    read_only: bool = False,
) -> None:
    """Show a pose; ``apply`` gets the new one and a description of the change."""
    for row in ROWS:
        with line():
            for label, key, unit in row:
                value = getattr(pose, key) or 0.0
                NumberField(
                    label,
                    value,
                    _one(pose, (label, key, unit), apply),
                    unit=unit,
                    read_only=read_only,
                )


def _one(
    pose: PoseSpec,
    which: tuple[str, str, str],
    apply: Callable[[PoseSpec, str], Awaitable[str]],
) -> Callable[[float], Awaitable[str]]:
    label, key, unit = which

    async def changed(value: float) -> str:
        return await apply(replace(pose, **{key: value}), f"{label} {value:g} {unit}")

    return changed
