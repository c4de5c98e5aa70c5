"""Robots' programs: their texts, and the processes that run them beside the simulation."""

import io
import re
import sys
import tokenize
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

from outrider.core.files.atomic_file import write_whole
from outrider.core.files.scratch import scratch_folder
from outrider.ui.console_log import ConsoleLog
from outrider.user_code.process import UserProcess, check_file

FIRST = """\
def setup(robot):
    print("my sensors:", ", ".join(robot.sensors()))


def loop(robot):
    robot.drive(0.3, 20)  # m/s, degrees/s
    # robot.stop()  robot.sleep(s)  robot.time()  robot.distance()  robot.heading()  robot.gyro()
    # robot.acceleration()  robot.gps()  robot.scan()  robot.bumped()  robot.position()
"""
_OURS = "user code: "  # begins what is not the program's own output
_LINE = re.compile(r"line (\d+)")


class RobotProgram:
    """The program of one robot; it is kept in a file, so that errors can name its lines."""

    def __init__(self, robot: str, file: Path, journal: ConsoleLog, *, users: bool = False) -> None:
        self.robot, self.file = robot, file
        self.text = FIRST
        self._users = users  # a file of the user, who sees in the terminal what it says
        self._read_ns = 0  # when the file had been changed last
        self._in_file: str | None = None  # the text that it holds
        self.said = ConsoleLog()
        self.wrong_line = 0  # where the last error was; 0: there is none
        self._journal = journal
        self._process: UserProcess | None = None
        self._ours = False  # whether the last line was no output of its own

    @property
    def running(self) -> bool:
        """Whether its process lives; it does after an error, to wait for a better file."""
        return self._process is not None and self._process.running

    def start(self, namespace: str) -> None:
        """Run the text from its beginning."""
        self.stop()
        self.wrong_line = 0
        self._write()
        self.said.write("info", f"{self.file.name} starts")
        self._process = UserProcess(self.file, "", namespace, heard=self._heard)

    def _write(self) -> None:
        """Write what was changed here; a file that only runs stays as the user wrote it."""
        if self.text != self._in_file:
            write_whole(self.file, _encoded(self.text))
            self._in_file = self.text
            self._read_ns = self.file.stat().st_mtime_ns

    def stop(self) -> None:
        """End it, even if it is stuck."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()
            self.said.write("info", f"{self.file.name} has ended")

    def reread(self) -> None:
        """Take what the user wrote into the file elsewhere, which starts it again."""
        if not self._users:
            return
        try:
            changed_ns = self.file.stat().st_mtime_ns
            if changed_ns != self._read_ns:
                self._read_ns, self.wrong_line = changed_ns, 0
                self.text = self._in_file = _read(self.file)
        except OSError:
            pass  # it has not been written yet, or is being replaced

    def _heard(self, line: str) -> None:
        """Take a line of its output; what went wrong goes to the console, too."""
        self._ours = line.startswith(_OURS) or (self._ours and line.startswith("  "))
        text = line.removeprefix(_OURS)
        if self._users:
            sys.stderr.write(f"{line}\n")
        if not self._ours:
            self.said.write("answer", text)
            return
        if found := _LINE.search(text):
            self.wrong_line = int(found[1])
        self.said.write("error", text)
        self._journal.write("error", text)


def _read(file: Path) -> str:
    """Return a program's text, in the encoding that it names."""
    try:
        with tokenize.open(file) as text:
            return text.read()
    except (SyntaxError, UnicodeDecodeError):  # Python will not take it; its author may look at it
        return file.read_text("utf-8", "replace")


def _encoded(text: str) -> bytes:
    """Return a program as Python will read it."""
    plain = text.encode()
    try:
        return text.encode(tokenize.detect_encoding(io.BytesIO(plain).readline)[0])
    except (SyntaxError, UnicodeEncodeError):
        return plain


def namespace_of(topics: Mapping[str, str]) -> str:
    """Return where the topics of a robot are that a program drives."""
    return topics.get("cmd_vel", "").rpartition("/")[0].strip("/")


class RobotPrograms:
    """The programs of all robots of a run."""

    def __init__(self, journal: ConsoleLog) -> None:
        self._journal = journal
        self._all: dict[str, RobotProgram] = {}
        self._files = ExitStack()
        self._folder: Path | None = None
        self.saved: dict[str, str] = {}  # texts as they were saved or opened last

    def of(self, robot: str) -> RobotProgram:
        """Return the program of a robot."""
        if robot not in self._all:
            file = self._home() / re.sub(r"\W", "_", robot)
            self._all[robot] = RobotProgram(robot, file.with_suffix(".py"), self._journal)
        return self._all[robot]

    def texts(self) -> dict[str, str]:
        """Return what has been written, by robot."""
        return {name: found.text for name, found in self._all.items() if found.text != FIRST}

    def open(self, texts: Mapping[str, str]) -> None:
        """Take the programs of another project; none of them is started."""
        self.stop()
        self._all.clear()
        for robot, text in texts.items():
            self.of(robot).text = text
        self.saved = self.texts()

    def take(self, robot: str, file: Path) -> RobotProgram:
        """Make a user's file a robot's program; its output is printed, too."""
        check_file(file)
        self._all[robot] = program = RobotProgram(robot, file, self._journal, users=True)
        program.reread()
        self.saved = self.texts()
        return program

    def stop(self) -> None:
        """End all of them."""
        for program in self._all.values():
            program.stop()

    def close(self) -> None:
        """End all of them and remove their files."""
        self.stop()
        self._files.close()

    def _home(self) -> Path:
        if self._folder is None:
            self._folder = self._files.enter_context(scratch_folder())
        return self._folder
