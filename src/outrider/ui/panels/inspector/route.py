"""A robot's route in the inspector: its points can be edited, saved to a file and loaded."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from nicegui import ui

from outrider.scenarios.scenario import Waypoints
from outrider.scenarios.session.changes import Change
from outrider.ui import routes
from outrider.ui.panels.context import Context
from outrider.ui.panels.form import Form
from outrider.ui.panels.inspector.field import NumberField
from outrider.ui.panels.inspector.section import section

_SHOWN = 60


def route_fields(context: Context, robot: str, route: Waypoints | None) -> None:
    """Show a robot's route."""
    with section("Route", "route", opened=route is not None):
        if route is None:
            ui.label("None: use the flag above the scene, or load a file.").classes("or-hint")
        else:
            _Route(context, robot, route).build()
        if not context.read_only:
            _files(context, robot, route)


class _Route:
    """The fields of a route."""

    def __init__(self, context: Context, robot: str, route: Waypoints) -> None:
        self._context = context
        self._robot = robot
        self._route = route

    def build(self) -> None:
        """Show speed, whether it loops, and all points."""
        fixed = self._context.read_only
        with ui.row().classes("or-line"):
            NumberField("speed", self._route.speed, self._hurry, unit="m/s", read_only=fixed)
            again = ui.switch("Round and round", value=self._route.loop, on_change=self._loop)
            again.props('dense data-field="loop"')
            if fixed:
                again.disable()
        for number, point in enumerate(self._route.points[:_SHOWN]):
            self._point(number, point)
        if len(self._route.points) > _SHOWN:
            ui.label(f"and {len(self._route.points) - _SHOWN} more").classes("or-hint")

    def _point(self, number: int, point: tuple[float, float]) -> None:
        fixed = self._context.read_only
        with ui.row().classes("or-line or-point"):
            for axis, letter in enumerate("xy"):
                NumberField(
                    f"{letter} {number + 1}",
                    point[axis],
                    self._mover(number, axis),
                    unit="m",
                    read_only=fixed,
                )
            if not fixed:
                button = ui.button(icon="close", color=None, on_click=lambda: self._drop(number))
                button.props(f'flat dense round size=sm data-act="drop point {number + 1}"')
                button.classes("or-tool or-drop").tooltip("Remove this point")

    def _mover(self, number: int, axis: int) -> Callable[[float], Awaitable[str]]:
        async def move(value: float) -> str:
            points = [list(point) for point in self._route.points]
            points[number][axis] = value
            after = tuple((x, y) for x, y in points)
            return await self._set(f"point {number + 1} moved", points=after)

        return move

    async def _drop(self, number: int) -> None:
        points = self._route.points
        left = points[:number] + points[number + 1 :]
        session, robot = self._context.editor.session, self._robot
        if left:
            await self._set(f"without point {number + 1}", points=left)
        else:
            await self._apply(lambda: routes.halted(session, robot), "no route")

    async def _hurry(self, value: float) -> str:
        if value <= 0:
            return f"a speed must be above 0, got {value:g}"
        return await self._set(f"route at {value:g} m/s", speed=value)

    async def _loop(self, event: object) -> None:
        await self._set("route", loop=bool(getattr(event, "value", False)))

    async def _set(self, said: str, **values: object) -> str:
        session, robot = self._context.editor.session, self._robot
        return await self._apply(lambda: routes.rerouted(session, robot, **values), said)

    async def _apply(self, make: Callable[[], Change], said: str) -> str:
        return await self._context.apply(make, f"{self._robot}: {said}")


def _files(context: Context, robot: str, route: Waypoints | None) -> None:
    folder = context.editor.options.projects
    with ui.row().classes("or-buttons"):
        if route is not None:
            _button("Save as a file", "save", "save route", lambda: _save(context, folder, route))
        if routes.route_files(folder):
            _button("Load a file", "folder_open", "load route", lambda: _load(context, robot))


def _button(label: str, icon: str, name: str, act: Callable[[], None]) -> None:
    button = ui.button(label, icon=icon, on_click=act)
    button.props(f'flat dense no-caps size=sm data-act="{name}"')


def _save(context: Context, folder: Path, route: Waypoints) -> None:
    form = Form("Save the route", f"A file of waypoints in {folder / routes.FOLDER}")
    name = form.text("route name", "route")

    async def save() -> str:
        path = routes.save_route(folder, str(name.value or "").strip(), route)
        context.editor.journal.write("info", f"saved {path}")
        return ""

    form.submit("Save", save)


def _load(context: Context, robot: str) -> None:
    folder, session = context.editor.options.projects, context.editor.session
    files = {path.name: path for path in routes.route_files(folder)}
    form = Form(f"Load a route for {robot}")
    which = form.choice("route file", list(files), next(iter(files)))

    async def load() -> str:
        path = files[str(which.value)]
        return await context.apply(
            lambda: routes.loaded(session, robot, path), f"{robot}: {path.name}"
        )

    form.submit("Load", load)
