"""Events that no page of ours sends: one sentence for each kind, where others print tracebacks."""

import asyncio
import logging
from typing import Any

from outrider.bridges.peer_errors import PeerErrors, speaker

_LOGGER = "engineio.server"  # what it cannot read
_PAGES = "nicegui"  # the logger that names every page that does not exist, in full
_EVENT = "AsyncServer._handle_event_internal"  # what NiceGUI cannot understand


def tell_briefly(loop: asyncio.AbstractEventLoop) -> None:
    """Let a server's loop tell what is wrong with a client's events in a sentence."""
    brief = _Brief()
    logging.getLogger(_LOGGER).addFilter(brief.of_record)
    logging.getLogger(_PAGES).addFilter(brief.of_page)
    loop.set_exception_handler(brief.of_task)


class _Brief:
    def __init__(self) -> None:
        self._peer_errors = PeerErrors(speaker("editor"))

    def of_record(self, record: logging.LogRecord) -> bool:
        """Tell an error that was about to be logged; say whether it still is to be."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            self._note(error)
        return error is None

    def of_page(self, record: logging.LogRecord) -> bool:
        """Tell that a page does not exist; say whether the record still is to be logged."""
        missing = record.levelno == logging.WARNING and str(record.msg).endswith(" not found")
        if missing:
            self._peer_errors.note("no page", f"there is no such page: {record.msg!s:.200}")
        return not missing

    def of_task(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell an error that nobody waits for; those of other tasks are left as they are."""
        task, error = context.get("future"), context.get("exception")
        if error is not None and isinstance(task, asyncio.Task) and _of_a_client(task):
            self._note(error)
        else:
            loop.default_exception_handler(context)

    def _note(self, error: BaseException) -> None:
        self._peer_errors.note(
            type(error).__name__, f"an event of a client is ignored: {error!r:.200}"
        )


def _of_a_client(task: "asyncio.Task[Any]") -> bool:
    return getattr(task.get_coro(), "__qualname__", "") == _EVENT
