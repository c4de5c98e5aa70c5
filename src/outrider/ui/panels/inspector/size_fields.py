"""The dimensions of a simple shape as fields."""

from collections.abc import Awaitable, Callable
from dataclasses import fields
from typing import TypeAlias

from outrider.core.structure import with_fields
from outrider.specs.world import BoxSpec, MeshSpec, ShapeSpec
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.section import line

Apply: TypeAlias = Callable[[ShapeSpec, str], Awaitable[str]]


def size_fields(shape: ShapeSpec, apply: Apply, *, read_only: bool = False) -> None:
    """Show edges, or radius and length; ``apply`` gets the new shape and the change."""
    if isinstance(shape, MeshSpec):
        return
    with line():
        if isinstance(shape, BoxSpec):
            for axis, letter in enumerate("xyz"):
                _edge(shape, axis, letter, apply, read_only)
        else:
            for part in fields(shape):
                if part.name != "type":
                    _figure(shape, part.name, apply, read_only)


def _edge(shape: BoxSpec, axis: int, letter: str, apply: Apply, read_only: bool) -> None:
    async def changed(value: float) -> str:
        if value <= 0:
            return f"a size must be above 0, got {value:g}"
        size = [*shape.size]
        size[axis] = value
        return await apply(BoxSpec(size=(size[0], size[1], size[2])), f"size {letter} {value:g} m")

    NumberField(f"size {letter}", shape.size[axis], changed, unit="m", read_only=read_only)


def _figure(shape: ShapeSpec, name: str, apply: Apply, read_only: bool) -> None:
    async def changed(value: float) -> str:
        if value <= 0:
            return f"{name} must be above 0, got {value:g}"
        return await apply(with_fields(shape, **{name: value}), f"{name} {value:g} m")

    NumberField(name, getattr(shape, name), changed, unit="m", read_only=read_only)
