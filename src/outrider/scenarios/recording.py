"""Recording a run, from Python, from the command line, or requested over the local port."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from outrider.core.arguments import file_argument, names_argument
from outrider.core.errors import RecordingError
from outrider.core.structure import Data, from_data
from outrider.recording.recorder import Recorder, RecordingOptions
from outrider.recording.replay import Replay, ReplayOptions
from outrider.scenarios.bridging import descriptions
from outrider.scenarios.session.session import Session
from outrider.sim.runner import Runner
from outrider.sim.simulation import Simulation

Service = Callable[[Data], Data]


@dataclass(frozen=True, slots=True)
class _Request:
    """The arguments of the service ``record``."""

    file: str
    topics: tuple[str, ...] = ()
    format: str = ""
    overwrite: bool = False
    lossless: bool | None = None


def record(
    simulation: Simulation | Session,
    path: Path | str,
    topics: Iterable[str] = (),
    *,
    format: str = "",  # noqa: A002 - the word that the command line has
    overwrite: bool = False,
    lossless: bool = True,
) -> Recorder:
    """Record from now on, until the ``with`` block ends or ``close`` is called.

    Topics are names or patterns, ``/front/*`` or ``/mid/points@5`` (at most 5 Hz); without any,
    all are recorded. A lossless recording makes the simulation wait for the disk if necessary; a
    lossy one drops messages and counts them.
    """
    if not isinstance(simulation, Simulation | Session):
        raise RecordingError(
            f"record: expected a simulation such as o.open('demo'), got {simulation!r:.60}"
        )
    file = file_argument(path, "record")
    options = RecordingOptions(
        file, names_argument(topics, "record: topics"), format, overwrite, lossless
    )
    texts = _described(simulation) if isinstance(simulation, Session) else dict
    return Recorder(
        simulation.bus, options, now_ns=lambda: _current(simulation).time_ns, texts=texts
    )


def replay(
    path: Path | str,
    topics: Iterable[str] = (),
    *,
    speed: float = 0.0,
    start_s: float = 0.0,
    end_s: float | None = None,
    loop: bool = False,
) -> Replay:
    """Open a recording: iterate over its ``entries()``, or ``run()`` it onto its bus."""
    file = file_argument(path, "replay")
    return Replay(
        file,
        ReplayOptions(speed, start_s, end_s, loop, topics=names_argument(topics, "replay: topics")),
    )


@contextmanager
def recorded(
    session: Session, runner: Runner, options: RecordingOptions | None
) -> Iterator[Recorder | None]:
    """Record a run from its first message, if requested."""
    if options is None:
        yield None
        return
    with _recorder(session, runner, options) as recorder:
        if session.simulation.steps == 0:
            session.simulation.reset()  # what it says before its first step is said again
        yield recorder


class RecordingControl:
    """Recordings of a running simulation requested by other programs of this user.

    These services are for the local port only, because they choose files.
    """

    def __init__(self, session: Session, runner: Runner) -> None:
        self._session = session
        self._runner = runner
        self._recorder: Recorder | None = None

    def services(self) -> dict[str, Service]:
        """Return the services."""
        return {
            "record": self.start,
            "record_status": lambda _: self.status(),
            "record_stop": lambda _: self.stop(),
        }

    def close(self) -> None:
        """Complete the current recording."""
        if self._recorder is not None:
            self._recorder.close()

    def start(self, arguments: Data) -> Data:
        """Start recording to a file; return the status."""
        if self._recorder is not None:
            where = self._recorder.report.files[0]
            raise RecordingError(f"a recording is already running: {where}; stop it first")
        options = _options(arguments)
        self._recorder = _recorder(self._session, self._runner, options)
        return self.status()

    def status(self) -> Data:
        """Return the status of the recording."""
        if self._recorder is None:
            return {"recording": False}
        report = self._recorder.report
        return {
            "recording": not report.failure,
            "files": [str(file) for file in report.files],
            "messages": report.messages,
            "bytes": report.bytes_written,
            "dropped": report.dropped.total(),
            "failure": report.failure,
        }

    def stop(self) -> Data:
        """Complete the recording; return the status."""
        if self._recorder is None:
            raise RecordingError("no recording is running")
        self._recorder.close()
        status = {**self.status(), "recording": False}
        self._recorder = None
        return status


def _described(session: Session) -> Callable[[], dict[str, str]]:
    """Return what tells the robots' URDF by topic, as bridges publish it."""
    robots = descriptions(session)
    return lambda: {robot.topic: robot.urdf for robot in robots()}


def _current(simulation: Simulation | Session) -> Simulation:
    return simulation.simulation if isinstance(simulation, Session) else simulation


def _recorder(session: Session, runner: Runner, options: RecordingOptions) -> Recorder:
    return Recorder(
        session.bus,
        options,
        now_ns=lambda: session.simulation.time_ns,
        unpaced=lambda: runner.pacer.speed == 0,
        texts=_described(session),
    )


def _options(arguments: Data) -> RecordingOptions:
    asked = from_data(_Request, arguments, "record")
    path = Path(asked.file)
    if not path.is_absolute():
        raise RecordingError(f"record: file: expected an absolute path, got '{path}'")
    return RecordingOptions(path, asked.topics, asked.format, asked.overwrite, asked.lossless)
