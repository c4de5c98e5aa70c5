"""What pages need of a run, which may still be under construction when they are opened."""

import asyncio
from concurrent.futures import Future
from dataclasses import dataclass

from outrider.ui.driving import Driving
from outrider.ui.editor_state import EditorState
from outrider.ui.views.watching import Watching


@dataclass(frozen=True, slots=True, eq=False)
class PageParts:
    """The editor state of a run, with manual driving and the views of all pages."""

    editor: EditorState
    driving: Driving
    watching: Watching

    @classmethod
    def of(cls, editor: EditorState) -> "PageParts":
        """Return the parts for an editor state."""
        return cls(editor, Driving(editor.run), Watching(editor))


class PendingParts:
    """Page parts that come once, from any thread; requests wait for it."""

    def __init__(self) -> None:
        self._parts: Future[PageParts] = Future()

    @property
    def here(self) -> bool:
        """Whether they have come."""
        return self._parts.done()

    def bring(self, parts: PageParts) -> None:
        """Let all that wait go on."""
        self._parts.set_result(parts)

    async def parts(self) -> PageParts:
        """Return the parts, as soon as they are there."""
        # shielded: a request that is given up must not cancel it for all others
        return await asyncio.shield(asyncio.wrap_future(self._parts))

    async def serve(self) -> None:
        """Keep the scene and the views up to date; never returns."""
        parts = await self.parts()
        await asyncio.gather(parts.editor.prepare(), parts.editor.show(), parts.watching.serve())
