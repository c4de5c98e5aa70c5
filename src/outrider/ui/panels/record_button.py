"""The record button: one press starts a recording, the next one ends it."""

import asyncio
import time

from nicegui import ui
from nicegui.events import GenericEventArguments

from outrider.core.errors import OutriderError
from outrider.core.structure import Data
from outrider.ui.panels.context import Context


class RecordButton:
    """Red during a recording, whoever started it, with its size next to it."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._control = context.editor.recording
        if self._control is None:
            return
        self._button = ui.button(icon="fiber_manual_record", color=None)
        self._button.on("click", self._press, ["shiftKey"])
        self._button.props('flat dense round data-act="record"').classes("or-act or-record")
        self._button.tooltip("Record into a file (MCAP); Shift: with raw camera images")
        self._size = ui.label("").props('data-live="recorded"').classes("or-figure")
        if context.read_only:
            self._button.disable()

    def refresh(self) -> None:
        """Show the state of the recording."""
        if self._control is None:
            return
        status = self._control.status()
        on = bool(status["recording"])
        self._button.classes(add="or-on" if on else "", remove="" if on else "or-on")
        text = f"{status['bytes'] / 1e6:.1f} MB" if on else ""
        if self._size.text != text:
            self._size.text = text

    async def _press(self, event: GenericEventArguments) -> None:
        control, journal = self._control, self._context.editor.journal
        if control is None or self._context.read_only:
            return
        try:
            if control.status()["recording"]:
                done = await asyncio.to_thread(control.stop)
                journal.write("info", f"recorded {done['messages']} messages: {done['files'][0]}")
            else:
                begun = await asyncio.to_thread(control.start, self._asked(event.args["shiftKey"]))
                journal.write("info", f"recording into {begun['files'][0]}")
        except (OutriderError, OSError) as error:
            journal.write("error", str(error))
            ui.notify(str(error), type="negative", position="top")
        self.refresh()

    def _asked(self, with_images: bool) -> Data:
        """Return what to record: raw images, which quickly fill a disk, only on request."""
        editor = self._context.editor
        file = editor.options.recordings / time.strftime("%Y%m%d-%H%M%S.mcap")
        topics = editor.session.bus.topics()
        names = [t.name for t in topics if with_images or t.type != "sensor_msgs/msg/Image"]
        return {"file": str(file.absolute()), "topics": names}
