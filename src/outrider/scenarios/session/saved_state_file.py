"""States as files: a scenario as plain text, and all figures that decide what comes next."""

import io
import json
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from outrider.core.atomic_file import write_whole
from outrider.core.errors import ConfigError
from outrider.core.structure import build, plain
from outrider.loader.save import seen_from
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.saved_state import Snapshot
from outrider.specs.references import map_files, rooted
from outrider.specs.yaml_file import parse_yaml, yaml_text

FORMAT = 1
MAX_BYTES = 4 << 30
_FIGURES = ("steps", "finished", "state_hash", "time_ns", "fingerprint")
_SCENARIO, _BUILT = "scenario.yaml", "built.yaml"
_MANIFEST, _NOTES, _ARRAYS = "manifest.json", "notes.json", "arrays.npz"
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    KeyError,
    ValueError,
    TypeError,
    EOFError,
    NotImplementedError,
    RuntimeError,
)


def write_snapshot(snapshot: Snapshot, path: Path) -> Path:
    """Write a snapshot into one file; a save that is broken off leaves the old file whole."""
    folder = path.resolve().parent
    figures = {name: getattr(snapshot, name) for name in _FIGURES}
    arrays = io.BytesIO()
    named: dict[str, Any] = {f"a{i}": array for i, array in enumerate(snapshot.arrays)}
    np.savez(arrays, allow_pickle=False, **named)
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_MANIFEST, json.dumps({"format": FORMAT, **figures}, indent=2))
        archive.writestr(_SCENARIO, _text(snapshot.scenario, folder))
        archive.writestr(_BUILT, _text(snapshot.built, folder))
        archive.writestr(_NOTES, json.dumps(snapshot.notes))
        archive.writestr(_ARRAYS, arrays.getvalue())
    write_whole(path, whole.getvalue())
    return path


def read_snapshot(path: Path) -> Snapshot:
    """Return the snapshot in a file; its scenario's files are looked for as seen from there."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(path, archive)
            names = (_MANIFEST, _SCENARIO, _BUILT, _NOTES, _ARRAYS)
            parts = {name: archive.read(name) for name in names}
        return _snapshot(path, parts)
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    except _DAMAGE as error:
        raise ConfigError(f"{path}: is no saved state: {error}") from None


def _text(scenario: Scenario, folder: Path) -> str:
    """Return a scenario as text, its files as seen from a folder."""
    data = map_files(plain(scenario), "scenario", lambda name: seen_from(folder, Path(name)))
    return yaml_text(data)


def _check_sizes(path: Path, archive: zipfile.ZipFile) -> None:
    total = sum(info.file_size for info in archive.infolist())
    if total > MAX_BYTES:
        raise ConfigError(f"{path}: claims to hold {total / 1e9:.1f} GB, too much for a state")


def _snapshot(path: Path, parts: dict[str, bytes]) -> Snapshot:
    manifest = json.loads(parts[_MANIFEST])
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise ConfigError(f"{path}: is a saved state of another format; this reads {FORMAT}")
    with np.load(io.BytesIO(parts[_ARRAYS]), allow_pickle=False) as stored:
        arrays = [stored[f"a{i}"] for i in range(len(stored.files))]
    figures = {name: manifest[name] for name in _FIGURES}
    scenario, built = (_scenario(path, name, parts[name]) for name in (_SCENARIO, _BUILT))
    return Snapshot(scenario, built, json.loads(parts[_NOTES]), arrays, **figures)


def _scenario(path: Path, name: str, content: bytes) -> Scenario:
    where = f"{path}: {name}"
    data = rooted(parse_yaml(content.decode(), where), "scenario", path.resolve().parent)
    return build(Scenario, data, where)
