"""Uploaded files: stored under generated names, imported, placed in the world."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path, PurePosixPath

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import ConfigError, OutriderError
from outrider.core.files.atomic_file import write_whole
from outrider.formats.import_file import import_file
from outrider.formats.importing.report import HEADINGS, ImportReport
from outrider.scenarios.session.session import Session
from outrider.sim.simulation import Simulation
from outrider.specs.file_kinds import Kind, is_kind, suffixes
from outrider.ui.editing import added_model, added_robot

MOST_BYTES = 200 * 1024 * 1024  # of all files together
MOST_FILES = 500
_KINDS: tuple[Kind, ...] = ("description", "mesh")  # the first name files of the second
_ODD = re.compile(r"[^\w.-]", re.ASCII)


@dataclass(frozen=True, slots=True)
class Uploaded:
    """The result of an import, with its notes for the user."""

    file: Path
    report: tuple[str, ...]


def keep(files: dict[str, bytes]) -> Path:
    """Write files into a new folder; names cannot leave it."""
    if not files or len(files) > MOST_FILES:
        raise ConfigError(f"expected 1 to {MOST_FILES} files, got {len(files)}")
    total = sum(len(data) for data in files.values())
    if total > MOST_BYTES:
        raise ConfigError(
            f"{total / 1e6:.0f} MB are more than the {MOST_BYTES / 1e6:.0f} MB allowed"
        )
    digest = blake2b(digest_size=10)
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + files[name])
    folder = cache_dir() / "uploads" / digest.hexdigest()
    for name, data in files.items():
        path = folder / safe_name(name)
        write_whole(path, data)
    return folder


def safe_name(name: str) -> Path:
    """Return a safe relative path made from a browser's file name."""
    parts = [
        _ODD.sub("_", part).lstrip(".") for part in PurePosixPath(name.replace("\\", "/")).parts
    ]
    plain = [part[:80] for part in parts if part.strip("_. ")]
    if not plain:
        raise ConfigError(f"'{name[:60]}' is not a valid file name")
    return Path(*plain[-6:])


def main_file(folder: Path) -> Path:
    """Return the main file: a description, otherwise the largest mesh."""
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    for kind in _KINDS:
        hits = [path for path in found if is_kind(path, kind)]
        if hits:
            return max(hits, key=lambda path: (-len(path.parts), path.stat().st_size))
    known = ", ".join(suffixes(*_KINDS))
    raise ConfigError(f"none of the files is a robot, world or mesh; known are {known}")


def examined(files: dict[str, bytes]) -> Uploaded:
    """Store files and read them; return the import's report."""
    file = main_file(keep(files))
    found = import_file(file)
    return Uploaded(file, tuple(_sentences(found.report)))


def _sentences(report: ImportReport) -> list[str]:
    """Return an import's report as lines: counts, then notes by kind."""
    counts = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in report.counts.items())
    notes = [f"{heading}: {text}" for kind, heading in HEADINGS.items() for text in report.of(kind)]
    return [f"{report.kind} {report.name}: {counts}", *notes]


def prepared(session: Session, file: Path, near: str) -> Callable[[], Simulation]:
    """Build it with an imported file before a robot: as a robot if it drives, else as a model.

    In any thread; the result is to be called between two steps.
    """
    try:
        return session.prepared(added_robot(session, str(file), near))
    except OutriderError as no_robot:
        try:
            return session.prepared(added_model(session, file, near))
        except OutriderError as no_model:
            raise ConfigError(f"{file.name}: {no_model} (as a robot: {no_robot})") from None
