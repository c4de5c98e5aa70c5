"""State shared by all open pages: the run, its scene as browsers draw it, and manual driving."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from outrider.core.errors import ConfigError, OutriderError
from outrider.scenarios.recording import RecordingControl
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.changes import Change
from outrider.scenarios.session.session import Session
from outrider.sim.simulation import Simulation
from outrider.ui.console_log import ConsoleLog
from outrider.ui.layout import Layout, read_layout
from outrider.ui.link.frame import StateFrame, frame_bytes, packed, take_frame
from outrider.ui.link.viewers import Viewer, Viewers
from outrider.ui.options import EditorOptions
from outrider.ui.programs import RobotPrograms, namespace_of
from outrider.ui.projects import read_programs, save_project
from outrider.ui.stage.stage import Stage, StageMaker
from outrider.ui.uploads import Uploaded

T = TypeVar("T")

RATE_HZ = 30.0
PATIENCE_S = 120.0  # a world may take so long to be built, kernels to be compiled


class EditorState:
    """Connects the pages' thread with the simulation's: all requests go through here.

    Pages never touch the simulation: they ask for work to be done between two steps, and read
    copies. The simulation never waits for a page.
    """

    def __init__(
        self, run: Run, options: EditorOptions, recording: RecordingControl | None = None
    ) -> None:
        self.run = run
        self.options = options
        self.recording = recording
        self.journal = ConsoleLog()
        self.programs = RobotPrograms(self.journal)
        self.viewers = Viewers()
        self.stages = StageMaker()
        self.stage: Stage | None = None
        self.frame: StateFrame | None = None
        self.revision = 0  # counts every change
        self.build = 0  # counts those after which other things are to be drawn
        self._simulation: Simulation | None = run.simulation
        self._drawn = -1
        self._lasting: dict[str, bytes] = {}  # what is drawn over the scene
        self._making = asyncio.Lock()
        self._brought: dict[str, Uploaded] = {}
        self.project: Path | None = None  # where the next save goes
        self.saved: Scenario = run.scenario  # as it was saved or opened last
        self.layout = Layout()  # of pages that are opened
        self.opened(options.project)
        run.session.renewed.append(self._renewed)
        self.journal.write("info", f"{run.scenario.name} is running: F1 shows all keys")

    @property
    def session(self) -> Session:
        """The session; access it only between two steps."""
        return self.run.session

    @property
    def unsaved(self) -> bool:
        """Whether there are changes since the last save."""
        changed = self.session.scenario != self.saved
        return changed or self.programs.texts() != self.programs.saved

    def opened(self, root: Path | None) -> None:
        """Note that the project in a folder, or something without one, runs from now on."""
        self.project, self.saved, self.layout = root, self.session.scenario, Layout()
        self.programs.open(read_programs(root) if root else {})
        if root is not None:
            try:
                self.layout = read_layout(root)
            except OutriderError as error:
                self.journal.write("warning", f"{error}; the usual panels are shown")

    def kept(self, root: Path, scenario: Scenario, layout: Layout) -> None:
        """Save everything as a project, in any thread."""
        texts = self.programs.texts()
        save_project(self.with_speed(scenario), root, layout, texts)
        self.project, self.saved, self.layout = root, scenario, layout
        self.programs.saved = texts

    async def between(self, work: Callable[[], T]) -> T:
        """Call a function between two steps and await its result."""
        asked = asyncio.wrap_future(self.run.runner.ask(work))
        return await asyncio.wait_for(asked, PATIENCE_S)

    async def beside(self, prepare: Callable[[], Callable[[], T]]) -> T:
        """Prepare something beside the loop; only its result is called between two steps."""
        return await asyncio.to_thread(self.run.runner.change, prepare)

    async def apply(self, make: Callable[[], Change], *, of_client: bool = False) -> None:
        """Make a change; ``make`` looks at the session between two steps."""
        change = await self.between(make)
        await self.beside(lambda: self.session.prepared(change, of_client=of_client))

    async def attempt(self, act: Callable[[], Awaitable[object]], done: str = "") -> str:
        """Try something; return the error, or an empty text; both are logged."""
        try:
            await act()
        except OutriderError as error:
            self.journal.write("error", str(error))
            return str(error)
        except TimeoutError:
            self.journal.write("error", "the simulation did not answer in time")
            return "the simulation did not answer in time"
        except Exception as error:  # whatever it is, the page goes on and says so
            self.journal.write("error", f"it failed: {error!r:.300}")
            return f"it failed: {error!r:.300}"
        if done:
            self.journal.write("info", done)
        return ""

    async def show(self) -> None:
        """Copy the state for all viewers while there are any; never returns."""
        while True:
            await self.viewers.came.wait()
            began = asyncio.get_running_loop().time()
            await self._show_once()
            spent = asyncio.get_running_loop().time() - began
            await asyncio.sleep(max(0.002, 1.0 / RATE_HZ - spent))

    async def _show_once(self) -> None:
        try:
            build, frame = await self.between(lambda: (self.build, take_frame(self.run.runner)))
        except (OutriderError, TimeoutError):
            await asyncio.sleep(0.1)  # it has ended, or is busy
            return
        self.frame = frame
        self.viewers.tell("frame", frame_bytes(frame, build))

    async def prepare(self) -> None:
        """Make the first scene while the first browser is still being opened."""
        with suppress(OutriderError, TimeoutError):  # the first viewer will be told
            await self.current_stage()

    async def current_stage(self) -> Stage:
        """Return the current scene; built in a separate thread, once for all viewers."""
        async with self._making:
            if self.stage is None or self._drawn != self.build:
                build, scene = await self.between(
                    lambda: (self.build, self.session.simulation.rig.scene)
                )
                self.stage = await asyncio.to_thread(self.stages.make, scene)
                self.stage.manifest["build"] = build
                self._drawn = build
            return self.stage

    def _renewed(self, simulation: Simulation) -> None:
        """Handle a change of the session, in the simulation's thread."""
        self.revision += 1
        if simulation is not self._simulation:
            self._simulation = simulation
            self.build += 1

    def start_program(self, file: Path) -> None:
        """Let a user's file drive the first robot."""
        robot, handle = next(iter(self.session.simulation.robots.items()), ("", None))
        if handle is None:
            raise ConfigError("--user-code: there is no robot to drive")
        self.programs.take(robot, file).start(namespace_of(handle.topics))

    def with_speed(self, scenario: Scenario) -> Scenario:
        """Return a scenario that runs as fast as this run does."""
        speed = self.run.runner.pacer.speed
        return replace(scenario, pacing=replace(scenario.pacing, speed=speed))

    def remember(self, found: Uploaded) -> str:
        """Keep an upload until its page asks for it; return the key."""
        key = secrets.token_urlsafe(12)
        self._brought = {**dict(list(self._brought.items())[-7:]), key: found}
        return key

    def recall(self, key: str) -> Uploaded | None:
        """Return the upload with a key, once."""
        return self._brought.pop(key, None)

    def tell_all(self, viewer: Viewer) -> None:
        """Send a new viewer what the others were sent before."""
        for kind, message in self._lasting.items():
            viewer.offer(kind, message)

    def draw(self, key: str, message: bytes | None) -> None:
        """Draw an overlay in the scene for all present and later viewers; None removes it."""
        if message is None:
            gone = packed({"k": "marks", "id": key, "n": 0, "gone": True})
            if self._lasting.pop(key, None) is not None:
                self.viewers.tell(key, gone)
        else:
            self._lasting[key] = message
            self.viewers.tell(key, message)

    def rescued(self) -> Path | None:
        """Save unsaved changes at the end of a run; return the path, or None."""
        if not self.unsaved or self.options.read_only:
            return None
        root = self.options.projects / "unsaved"
        scenario = self.with_speed(self.session.scenario)
        return save_project(scenario, root, self.layout, self.programs.texts())
