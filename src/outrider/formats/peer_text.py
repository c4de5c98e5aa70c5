"""A peer's URDF or SDF text, read in a process of its own before this one looks at it.

A text of a few lines can keep an interpreter busy for as long as it likes, and with it every thread
that shares its lock. So it is expanded and read elsewhere, with bounds on time and memory; what is
handed back is a file without macros that is known to be readable.
"""

import gc
import json
import math
import os
import queue
import signal
import sys
import threading
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Literal, TypeAlias, cast

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import FormatError, OutriderError
from outrider.core.files.atomic_file import beside, write_whole
from outrider.core.process.worker_process import WorkerProcess
from outrider.core.structure import Data

PeerKind: TypeAlias = Literal["robot", "model"]

_MOST_CPU_S = 8  # of one text; xacro's own bound is lower and gives a better sentence
_MOST_WALL_S = 60.0
_MOST_BYTES = 1 << 30  # of the process that reads, where the system can bound it
_IDLE_S = 60.0  # after which it ends; the next text starts another
_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
}
_gate = threading.Lock()
_readers: list[WorkerProcess] = []  # at most one

if hasattr(os, "register_at_fork"):  # a new process starts its own
    os.register_at_fork(after_in_child=_readers.clear)


def read_peer_text(text: bytes, target: Path) -> PeerKind:
    """Keep a text in ``target``, expanded, if it can be read; return what it describes.

    ``target`` lies in the folder of spawned texts, which may name no files but the library's.
    """
    target = target.absolute()
    sent = beside(target)
    try:
        write_whole(sent, text)
        cache = str(cache_dir().absolute())
        answer = _ask({"text": str(sent), "target": str(target), "cache": cache})
    finally:
        with suppress(OSError):
            sent.unlink(missing_ok=True)
    if "refused" in answer:
        raise FormatError(str(answer["refused"]))
    return cast(PeerKind, answer["kind"])


def _ask(job: Data) -> Data:
    with _gate:
        while True:
            reader = _reader()
            late = threading.Timer(_MOST_WALL_S, reader.kill)
            late.start()
            try:
                reader.send(job)
                return next(reader.answers())
            except (OSError, ValueError, StopIteration):  # it is gone, or there is no whole answer
                _readers.clear()
                reader.kill()
                if reader.code:  # 0: it had nothing to do for so long that it just ended
                    raise FormatError(_reason(reader, timed_out=not late.is_alive())) from None
            finally:
                late.cancel()


def _reader() -> WorkerProcess:
    if not _readers or not _readers[0].running:
        _readers[:] = [WorkerProcess("outrider.formats.peer_text", _ENVIRONMENT)]
    return _readers[0]


def _reason(reader: WorkerProcess, *, timed_out: bool) -> str:
    if timed_out or reader.code == -getattr(signal, "SIGXCPU", 0):
        return "it takes too long to read"
    return f"it was not read, {reader.how_it_ended()}"


def main() -> None:
    """Answer texts until nobody asks; whatever a library prints goes to the error stream."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # at a terminal, it is for who asks
    import_module("outrider.formats.import_file")  # before its memory counts
    gc.freeze()
    if hasattr(os, "nice"):
        os.nice(5)  # the loop comes first
    _bound_memory()
    asked: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin, asked), daemon=True).start()
    while True:
        try:
            job = json.loads(asked.get(timeout=_IDLE_S))
        except queue.Empty:
            os._exit(0)
        os.environ["OUTRIDER_CACHE"] = job["cache"]  # which may have changed since the start
        _bound_time()
        out.write(json.dumps(_answer(Path(job["text"]), Path(job["target"]))) + "\n")
        out.flush()


def _listen(lines: IO[str], asked: "queue.SimpleQueue[str]") -> None:
    """Take texts in; end with the process that sends them, even in the middle of one."""
    for line in lines:
        asked.put(line)
    os._exit(1)


def _bound_memory() -> None:
    with suppress(ImportError):
        import resource  # not on Windows: there, only time and what xacro counts are bounded

        for what, most in ((resource.RLIMIT_AS, _MOST_BYTES), (resource.RLIMIT_CORE, 0)):
            with suppress(OSError, ValueError):
                resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def _bound_time() -> None:
    """Let the system end this process should the next text take too long."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        end = math.ceil(time.process_time()) + _MOST_CPU_S
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _answer(sent: Path, target: Path) -> Data:
    try:
        return {"kind": _read(sent, target)}
    except MemoryError:
        reason = f"{sent}: it needs more than {_MOST_BYTES >> 20} MB to read"
    except OutriderError as error:
        reason = str(error)
    except Exception as error:  # whatever a library makes of it
        reason = f"{sent}: it cannot be read: {type(error).__name__}: {error}"
    sentence = reason.replace(str(sent), "text").replace("text: text: ", "text: ")
    return {"refused": " ".join(sentence.split())[:2000]}


def _read(sent: Path, target: Path) -> PeerKind:
    from outrider.formats.asset_paths import AssetPaths
    from outrider.formats.import_file import ImportOptions, file_kind, import_file
    from outrider.formats.urdf.description import has_macros
    from outrider.formats.xml_source import read_bounded

    if not AssetPaths(sent.parent).sealed:
        raise FormatError("it does not lie in the folder of spawned texts")
    kind = file_kind(sent)
    if kind not in ("urdf", "sdf"):
        raise FormatError(f"{sent}: expected URDF or SDF, got {kind.upper()}")
    found, data = import_file(sent, ImportOptions(lenient=False)), read_bounded(sent)
    if kind == "urdf" and found.robot is not None and has_macros(sent, data):
        data = found.robot.urdf.replace(str(sent), target.name).encode()  # which xacro names
    write_whole(target, data)
    return "robot" if found.robot is not None and found.robot.draft is not None else "model"


if __name__ == "__main__":
    main()
