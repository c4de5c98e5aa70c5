"""What others wrote cannot steer the terminal that it is shown on.

Names and messages come from files and from other programs: an escape sequence in them could
clear the screen, set its title or type in the place of who sits there.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, cast

from outrider.core.plain_name import STEERING

if TYPE_CHECKING:
    from rich.console import Console

_HARM = re.compile(rf"\x1b\[[\d;]{{0,40}}m|\r?\n|\t|([{STEERING}])")  # all but colours and ends


def harmless(text: str) -> str:
    r"""Return a text with its control characters written out, as ``\x1b``."""
    return _HARM.sub(lambda found: ascii(found[1])[1:-1] if found[1] else found[0], text)


class HarmlessStream:
    """A text stream that writes control characters out; all else is that of ``stream``."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write what does no harm."""
        return self.stream.write(harmless(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def harmless_streams() -> Iterator[None]:
    """Let everything be printed through harmless streams."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, HarmlessStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def progress_console() -> "Console":
    """Return the console for a live line, which moves the cursor; give it harmless texts."""
    from rich.console import Console

    stream = sys.stderr
    return Console(file=stream.stream if isinstance(stream, HarmlessStream) else stream)
