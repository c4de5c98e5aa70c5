"""What went wrong in a component, in one sentence with file and line."""

import linecache
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType

from outrider.core.errors import OutriderError

_OWN = str(Path(__file__).parent)


class Overran(BaseException):
    """Raised inside a component that takes too long; nothing that it catches by itself."""


def where_it_failed(error: BaseException, file: str) -> str:
    """Return file and line of an error: the last line in the component's own file, if any."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{Path(error.filename).name}:{error.lineno}"
    calls = traceback.walk_tb(error.__traceback__)
    return _place([(frame.f_code, line) for frame, line in calls], file)


def where_it_is(frame: FrameType | None, file: str) -> str:
    """Return file and line that a thread is at: the last one in the component's own file."""
    lines = [(f.f_code, f.f_lineno) for f in _outwards(frame)]
    return _place(lines[::-1], file)


def told(error: BaseException) -> str:
    """Return an error in words."""
    if isinstance(error, OutriderError):
        return str(error)
    text = " ".join(str(error).split())
    hint = "; keep what changes in me.state" if _is_frozen(error) else ""
    return f"{type(error).__name__}: {text}{hint}" if text else type(error).__name__


def _is_frozen(error: BaseException) -> bool:
    return type(error).__name__ == "FrozenInstanceError"


def _outwards(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back


def _place(calls: list[tuple[CodeType, int]], file: str) -> str:
    """Return the innermost line of a file, or else of anything that is not this package."""
    own = [call for call in calls if call[0].co_filename == file]
    others = [call for call in calls if not call[0].co_filename.startswith(_OWN)]
    for code, line in (own or others or calls)[-1:]:
        text = linecache.getline(code.co_filename, line).strip()
        shown = f" ('{text[:60]}')" if text else ""
        return f"{Path(code.co_filename).name}:{line}{shown}"
    return Path(file).name
