"""The scene with its toolbar: cameras, views, handles."""

from collections.abc import Callable
from dataclasses import asdict, replace

import numpy as np
from nicegui import ui

from outrider.core.errors import OutriderError
from outrider.core.frames import Pose
from outrider.core.structure import Data, from_data
from outrider.scenarios.session.changes import Change
from outrider.scenarios.session.session import Session
from outrider.ui.driving import greatest
from outrider.ui.layout import CameraView, Layout
from outrider.ui.panels.context import Context
from outrider.ui.routes import halted, sent_to
from outrider.ui.stage.element import StageElement

CAMERAS = {
    "follow": ("my_location", "Follow the robot (1)"),
    "orbit": ("3d_rotation", "Orbit freely (2)"),
    "chase": ("directions_car", "Behind the robot (3)"),
    "first": ("visibility", "First person: the robot's own camera (4)"),
    "top": ("map", "From above, without perspective (5)"),
    "fly": ("flight", "Fly: W A S D, Q up, Z down, drag to look (6 or Space)"),
}
_VIEWS = {
    "shadows": ("wb_shade", "Shadows"),
    "wireframe": ("grid_3x3", "Wireframe (X)"),
    "showGrid": ("grid_on", "Grid and axes (G)"),
    "trail": ("timeline", "Trail of the robot"),
    "snap": ("straighten", "Snap handles to 0.25 m and 15° (or hold Ctrl)"),
}


class ScenePanel:
    """The middle of the page."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._on: dict[str, bool] = {"shadows": True}
        self._buttons: dict[str, ui.button] = {}
        self._fastest = 1.0
        with ui.element("div").classes("or-scene"):
            self.element = StageElement()
            context.stage = self.element
            with ui.row().classes("or-scene-bar"):
                self._camera_bar()
                ui.element("div").classes("or-gap")
                self._view_bar()
            with ui.row().classes("or-hud"):
                self._robots = (
                    ui.select([], on_change=lambda e: self.drive(str(e.value or "")))
                    .props('dense borderless options-dense data-field="robot"')
                    .classes("or-robot")
                )
                self._auto = ui.button("Autopilot", icon="smart_toy", on_click=self._autopilot)
                self._auto.props("flat dense no-caps size=sm").tooltip(
                    "Resume the robot's scripted motion after manual driving"
                )
                self._auto.visible = False
                self._tool(
                    "place",
                    "Click to send it there; Shift adds points",
                    "goal",
                    lambda: self.element.tell("setPlacing", "goal"),
                )
                self._tool("wrong_location", "Remove its route", "halt", self._halt)
            self._limit_slider()
            ui.label("Connection lost, trying again").classes("or-lost-note")
            ui.label("The run has ended; the terminal has its summary").classes("or-ended-note")
            self._stick()
        self.element.when("placed", self._placed)
        self.element.when("camera", lambda e: self._mark_camera(str(e.get("mode"))))
        self._mark_camera("follow")
        self._mark_view("shadows")

    def begin(self, robot: str) -> None:
        """Follow a robot and list the robots that can be driven."""
        self._fill_robots()
        if robot:
            self._robots.value = robot
            self.drive(robot)

    def camera(self, mode: str) -> None:
        """Switch to another camera."""
        self.element.tell("setCamera", mode)

    def view(self, name: str) -> None:
        """Toggle a view."""
        self._on[name] = not self._on.get(name, False)
        self.element.tell("setView", {name: self._on[name]})
        self._mark_view(name)

    async def kept(self, layout: Layout) -> Layout:
        """Return a layout with what the scene shows, and from where."""
        try:
            camera = from_data(CameraView, await self.element.ask("keepCamera"), "camera")
        except (TimeoutError, OutriderError):  # the browser is busy
            camera = layout.camera
        limit = layout.speed_limit if self._context.read_only else float(self._limit.value)
        return replace(layout, camera=camera, shown=dict(self._on), speed_limit=limit)

    def bring_back(self, layout: Layout) -> None:
        """Show what was saved, from where it was seen."""
        for name in _VIEWS:
            if layout.shown.get(name, self._on.get(name, False)) != self._on.get(name, False):
                self.view(name)
        if not self._context.read_only:
            self._limit.value = layout.speed_limit
        self.element.tell("bringBackCamera", asdict(layout.camera))

    def drive(self, robot: str) -> None:
        """Drive a robot from now on, and follow it."""
        if not robot:
            return
        self._context.robot = robot
        ui.timer(0.0, lambda: self._watch(robot), once=True)

    async def renewed(self) -> None:
        """Update the list of robots."""
        self._fill_robots()
        if self._context.robot:
            await self._watch(self._context.robot)

    def refresh(self) -> None:
        """Offer the autopilot while a robot's scripted motion waits for it."""
        waits = self._context.driving.by_hand(self._context.robot)
        self._auto.visible = waits and not self._context.read_only

    async def _watch(self, robot: str) -> None:
        session = self._context.editor.session
        found = await self._context.editor.between(lambda: _robot_pose(session, robot))
        if found is not None:
            root, eye, self._fastest = found
            if not self._context.read_only:
                self._limited()
            self.element.tell("setFirstPerson", eye)
            self.element.tell("setRobot", robot, root)

    async def _autopilot(self) -> None:
        robot, driving = self._context.robot, self._context.driving
        await self._context.change(lambda: driving.give_back(robot), f"{robot}: autopilot")

    async def _placed(self, event: Data) -> None:
        """Send the robot to the clicked point."""
        x, y, _ = (float(part) for part in event.get("point", (0, 0, 0)))
        context, robot = self._context, self._context.robot
        session, driving = context.editor.session, context.driving

        def route() -> Change:
            driving.give_back(robot)
            return sent_to(session, robot, x, y, more=bool(event.get("more")))

        if robot:
            await context.apply(route, f"{robot}: go to {x:.2f}, {y:.2f}")

    async def _halt(self) -> None:
        context, robot = self._context, self._context.robot
        session = context.editor.session
        if robot:
            await context.apply(lambda: halted(session, robot), f"{robot}: no route")

    def _tool(self, icon: str, tip: str, name: str, act: Callable[[], object]) -> None:
        button = ui.button(icon=icon, color=None, on_click=act).tooltip(tip)
        button.props(f'flat dense data-act="{name}"').classes("or-tool")
        if self._context.read_only:
            button.disable()

    def _fill_robots(self) -> None:
        names = [entry.name for entry in self._context.editor.session.scenario.robots]
        if names != self._robots.options:
            value = self._context.robot if self._context.robot in names else next(iter(names), None)
            self._robots.set_options(names, value=value)

    def _camera_bar(self) -> None:
        for mode, (icon, tip) in CAMERAS.items():
            self._button(mode, icon, tip, "camera", self.camera)

    def _view_bar(self) -> None:
        for name, (icon, tip) in _VIEWS.items():
            self._button(name, icon, tip, "view", self.view)

    def _button(
        self, name: str, icon: str, tip: str, what: str, act: Callable[[str], None]
    ) -> None:
        button = ui.button(icon=icon, color=None, on_click=lambda: act(name)).tooltip(tip)
        button.props(f'flat dense data-{what}="{name}"').classes("or-tool")
        self._buttons[name] = button

    def _mark_camera(self, mode: str) -> None:
        for name in CAMERAS:
            self._buttons[name].classes(
                add="or-on" if name == mode else "", remove="" if name == mode else "or-on"
            )

    def _mark_view(self, name: str) -> None:
        on = self._on.get(name, False)
        self._buttons[name].classes(add="or-on" if on else "", remove="" if on else "or-on")

    def _limit_slider(self) -> None:
        if self._context.read_only:
            return
        with ui.row().classes("or-limit"):
            ui.icon("speed").classes("or-item-icon")
            self._limit = ui.slider(
                min=0.05, max=1.0, step=0.05, value=1.0, on_change=self._limited
            )
            self._limit.props('dense data-field="limit"')
            self._limit_text = ui.label("").classes("or-figure")
        self._limit.tooltip("Speed limit for manual driving")

    def _limited(self) -> None:
        share = float(self._limit.value)
        self.element.tell("setLimit", share)
        self._limit_text.text = f"{share * self._fastest:.2g} m/s"

    def _stick(self) -> None:
        if self._context.read_only:
            return
        stick = ui.joystick(
            color="#ff8a3d",
            size=64,
            on_move=lambda e: self.element.tell("hold", float(e.y), -float(e.x)),
            on_end=lambda _: self.element.tell("hold", 0, 0),
        )
        stick.classes("or-stick")
        stick.tooltip("Drive: or hold the arrow keys, W A S D, or H K U J")


def _robot_pose(session: Session, robot: str) -> tuple[int, Data, float] | None:
    """Return a robot's first body, the pose of its camera on it, and its maximum speed."""
    rig = session.simulation.rig
    vehicle = next((v for v in rig.vehicles if v.name == robot), None)
    if vehicle is None:
        return None
    pose, fov = _eye(session, robot, vehicle.root)
    eye = {
        "position": pose.position.tolist(),
        "quaternion": pose.rotation.tolist(),
        "fov": fov,
    }
    return vehicle.root, eye, greatest(vehicle)[0]


def _eye(session: Session, robot: str, root: int) -> tuple[Pose, float]:
    """Return the pose of the first camera on a robot's own body, or one above its front."""
    for mounted in session.simulation.mounted:
        optical = "image" in "".join(mounted.topics)
        if optical and mounted.owner == robot and mounted.site.body == root:
            return mounted.site.T_body_sensor, 55.0
    part = next((p for p in session.simulation.rig.scene.movers if p.body == root), None)
    if part is None:
        return Pose(np.array([0.3, 0.0, 0.3])), 60.0
    low, high = part.surface.low, part.surface.high
    return Pose(np.array([high[0], 0.0, high[2] + 0.1 * (high[2] - low[2])])), 60.0
