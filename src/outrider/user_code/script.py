"""A user's file: loaded, reloaded when it changes, with errors reported by its own lines."""

import importlib.util
import sys
import threading
import traceback
from pathlib import Path
from types import FrameType, ModuleType

from outrider.core.errors import ConfigError, near_match


class Script:
    """One Python file as a module."""

    def __init__(self, file: Path, expected: tuple[str, ...]) -> None:
        """Take a file that must define at least one of the expected functions."""
        if not file.is_file():
            raise ConfigError(f"there is no file '{file}'")
        self.file, self._expected = file.resolve(), expected
        self._time_ns = 0
        self.module: ModuleType | None = None  # None: it could not be loaded

    def changed(self) -> bool:
        """Return whether the file was saved since it was loaded."""
        try:
            return self.file.stat().st_mtime_ns != self._time_ns
        except OSError:  # an editor is just replacing it
            return False

    def load(self) -> bool:
        """Load it and report errors; return whether it can run."""
        self._time_ns = self.file.stat().st_mtime_ns
        spec = importlib.util.spec_from_file_location("user_code_of_outrider", self.file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        self.module = None
        beside = str(self.file.parent)  # as if it were run by itself
        sys.path[:] = [beside, *(folder for folder in sys.path if folder != beside)]
        try:
            code = compile(self.file.read_bytes(), str(self.file), "exec")
            exec(code, module.__dict__)
        except Exception as error:
            self.tell(error)
            return False
        if not any(callable(getattr(module, name, None)) for name in self._expected):
            say(f"{self.file.name} {self._lacks(module)}")
            return False
        self.module = module
        return True

    def _lacks(self, module: ModuleType) -> str:
        """Return which functions are missing, and which of the file's own may be a slip."""
        names = " nor ".join(f"{name}()" for name in self._expected)
        functions = [name for name, value in vars(module).items() if callable(value)]
        slips = ((mine, near_match(mine, self._expected)) for mine in functions)
        hints = [f"; it has '{mine}'{near}" for mine, near in slips if near]
        return f"defines neither {names}{''.join(hints[:1])}"

    def tell(self, error: BaseException) -> None:
        """Print an error with the user's own lines, not ours."""
        say(self.told(error))

    def told(self, error: BaseException) -> str:
        """Return an error as a text: file, line and message."""
        if isinstance(error, SyntaxError) and error.filename == str(self.file):
            return (
                f"{self.file.name}, line {error.lineno}: {error.msg}: {(error.text or '').strip()}"
            )
        frames = [f for f in traceback.extract_tb(error.__traceback__) if self._is_ours(f.filename)]
        lines = [f"{self.file.name}, line {f.lineno}, in {f.name}: {f.line}" for f in frames]
        what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        if isinstance(error, AttributeError | NameError):
            what += _near_name(error)
        return "\n  ".join([*lines, what]) if lines else f"{self.file.name}: {what}"

    def line_of(self, thread: int) -> str:
        """Return the line of the file that a thread is executing."""
        frame: FrameType | None = sys._current_frames().get(thread)
        while frame is not None and not self._is_ours(frame.f_code.co_filename):
            frame = frame.f_back
        return f"line {frame.f_lineno}" if frame else "somewhere else"

    def _is_ours(self, filename: str) -> bool:
        return filename == str(self.file)


def _near_name(error: AttributeError | NameError) -> str:
    """Return the name that a mistyped one may stand for, as Python shows it in a terminal."""
    if error.name is None:
        return ""
    if isinstance(error, AttributeError):
        return near_match(error.name, [name for name in dir(error.obj) if name[0] != "_"])
    found = list(traceback.walk_tb(error.__traceback__))
    frame = found[-1][0]
    return near_match(error.name, [*frame.f_locals, *frame.f_globals, *frame.f_builtins])


def say(sentence: str) -> None:
    """Print a line for the user."""
    sys.stderr.write(f"user code: {sentence}\n")
    sys.stderr.flush()


MAIN = threading.main_thread().ident or 0
