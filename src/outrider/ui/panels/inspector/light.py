"""A light in the inspector: direction, brightness, colour."""

from collections.abc import Awaitable, Callable

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from outrider.specs.world import RGBA
from outrider.ui import world_settings
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.colour_field import colour_field
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.section import Refreshable, choice, line, section
from outrider.world.model import Light

_KINDS = ("directional", "point", "spot")
_BRIGHTEST = 100.0
_AXES = (("x", 0), ("y", 1), ("z", 2))


async def inspect_light(context: Context, node: Node) -> list[Refreshable]:
    """Show a light."""
    session = context.editor.session
    found = await context.editor.between(lambda: world_settings.light_of(session, node.name))
    if found is None:
        ui.label("It belongs to an imported file and cannot be changed.").classes("or-hint")
    else:
        _Fields(context, found).build()
    return []


class _Fields:
    """The fields of one light."""

    def __init__(self, context: Context, light: Light) -> None:
        self._context = context
        self._light = light
        self._fixed = context.read_only

    def build(self) -> None:
        """Show them."""
        light, fixed = self._light, self._fixed
        with section("Light", "light_mode"):
            choice("Kind", _KINDS, light.kind, self._become, read_only=fixed)
            with line():
                NumberField("intensity", light.intensity, self._brighten, read_only=fixed)
                colour_field(light.colour, self._paint, read_only=fixed)
            shadows = ui.switch("Casts shadows", value=light.cast_shadows, on_change=self._shade)
            shadows.props('dense data-field="shadows"')
            if fixed:
                shadows.disable()
        if light.kind != "point":
            self._direction()
        if light.kind != "directional":
            self._place()
        if not fixed:
            away = ui.button("Take it away", icon="delete", color=None, on_click=self._away)
            away.props('flat dense no-caps size=sm data-act="remove light"').classes("or-small")

    def _direction(self) -> None:
        azimuth, elevation = world_settings.angles_of(self._light)

        async def turn(value: float) -> str:
            return await self._aim(value, elevation)

        async def raise_(value: float) -> str:
            if not -90 <= value <= 90:
                return f"a height over the horizon lies between -90 and 90°, got {value:g}"
            return await self._aim(azimuth, value)

        with section("Comes from", "explore"), line():
            NumberField("azimuth", azimuth, turn, unit="°", read_only=self._fixed)
            NumberField("elevation", elevation, raise_, unit="°", read_only=self._fixed)

    def _place(self) -> None:
        with section("Place", "open_with"):
            with line():
                for label, axis in _AXES:
                    value = self._light.position[axis]
                    NumberField(label, value, self._mover(axis), unit="m", read_only=self._fixed)
            NumberField("range", self._light.range, self._reach, unit="m", read_only=self._fixed)

    def _mover(self, axis: int) -> Callable[[float], Awaitable[str]]:
        async def move(value: float) -> str:
            place = [*self._light.position]
            place[axis] = value
            return await self._set(f"at {value:g} m", position=(place[0], place[1], place[2]))

        return move

    async def _aim(self, azimuth: float, elevation: float) -> str:
        direction = world_settings.direction_from(azimuth, elevation)
        return await self._set(f"from {azimuth:.0f}°, {elevation:.0f}°", direction=direction)

    async def _become(self, kind: str) -> str:
        return await self._set(kind, kind=kind)

    async def _brighten(self, value: float) -> str:
        if not 0 <= value <= _BRIGHTEST:
            return f"intensity lies between 0 and {_BRIGHTEST:g}, got {value:g}"
        return await self._set(f"intensity {value:g}", intensity=value)

    async def _reach(self, value: float) -> str:
        if value <= 0:
            return f"a range must be above 0, got {value:g}"
        return await self._set(f"range {value:g} m", range=value)

    async def _paint(self, colour: RGBA, said: str) -> str:
        return await self._set(said, colour=colour[:3])

    async def _shade(self, event: ValueChangeEventArguments[bool | None]) -> None:
        await self._set("shadows", cast_shadows=bool(event.value))

    async def _away(self) -> None:
        session, name = self._context.editor.session, self._light.name
        wrong = await self._context.apply(
            lambda: world_settings.without_light(session, name), f"{name}: taken away"
        )
        if not wrong:
            self._context.select(None)

    async def _set(self, said: str, **values: object) -> str:
        session, name = self._context.editor.session, self._light.name
        return await self._context.apply(
            lambda: world_settings.with_light(session, name, **values),
            f"{name}: {said}",
        )
