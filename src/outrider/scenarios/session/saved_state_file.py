"""Saved states as files: plain text and arrays in a zip archive. See docs/saved-states.md."""

import io
import json
import math
import struct
import zipfile
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.lib import format as npy

from outrider.core.errors import ConfigError
from outrider.core.files.atomic_file import write_whole
from outrider.core.files.package_files import is_file, refuse_devices
from outrider.core.files.yaml_file import parse_yaml, yaml_text
from outrider.core.frames import AnyArray
from outrider.core.state import State, Value
from outrider.core.structure import from_data, plain
from outrider.loader.save import seen_from
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.saved_state import SavedState
from outrider.specs.references import map_files, rooted

FORMAT = 2
MAX_BYTES = 4 << 30
_SCENARIO, _BUILT = "scenario.yaml", "built.yaml"
_MANIFEST, _STATE = "manifest.json", "state.json"
_ARRAY, _FLOAT = "$array", "$float"  # no name of a state begins so
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    AttributeError,
    KeyError,
    ValueError,
    TypeError,
    EOFError,
    NotImplementedError,
    RuntimeError,
)
Arrays: TypeAlias = dict[str, AnyArray]  # by their names in the archive


def write_saved_state(saved: SavedState, path: Path) -> Path:
    """Write a state into one file; a save that is broken off leaves the old file whole."""
    folder = path.resolve().parent
    arrays: Arrays = {}
    state = _json(saved.state, arrays)
    manifest = {
        "format": FORMAT,
        "state_hash": saved.state_hash,
        "fingerprint": saved.fingerprint,
    }
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(_MANIFEST, json.dumps(manifest, indent=2))
        archive.writestr(_SCENARIO, _text(saved.scenario, folder))
        archive.writestr(_BUILT, _text(saved.built, folder))
        archive.writestr(_STATE, json.dumps(state, allow_nan=False))
        for name, array in arrays.items():
            with archive.open(name, "w") as member:
                npy.write_array(member, array, allow_pickle=False)
    write_whole(path, whole.getvalue())
    return path


def read_saved_state(path: Path) -> SavedState:
    """Return the state in a file; its scenario's files are looked for as seen from there."""
    refuse_devices(path)
    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(path, archive)
            return _saved_state(path, archive)
    except FileNotFoundError:
        raise ConfigError(f"{path}: there is no such file") from None
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from None
    except _DAMAGE as error:
        raise ConfigError(f"{path}: is not a saved state: {error}") from None


def is_saved_state(path: Path) -> bool:
    """Return whether a file looks like a saved state, whatever its name."""
    if not is_file(path):
        return False
    with suppress(OSError, *_DAMAGE), zipfile.ZipFile(path) as archive:
        return {_MANIFEST, _STATE} <= set(archive.namelist())
    return False


def _text(scenario: Scenario, folder: Path) -> str:
    """Return a scenario as text, its files as seen from a folder."""
    data = map_files(plain(scenario), "scenario", lambda name: seen_from(folder, Path(name)))
    return yaml_text(data)


def _json(value: Value, arrays: Arrays) -> object:
    """Return a value as strict JSON; arrays are collected separately."""
    if isinstance(value, State):
        return {name: _json(item, arrays) for name, item in value.items()}
    if isinstance(value, np.ndarray):
        name = f"arrays/{len(arrays)}.npy"
        arrays[name] = value
        return {_ARRAY: name}
    if isinstance(value, list):
        return [_json(item, arrays) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {_FLOAT: str(value)}
    return value


def _check_sizes(path: Path, archive: zipfile.ZipFile) -> None:
    total = sum(info.file_size for info in archive.infolist())
    if total > MAX_BYTES:
        raise ConfigError(f"{path}: claims to hold {total / 1e9:.1f} GB, too much for a state")


def _saved_state(path: Path, archive: zipfile.ZipFile) -> SavedState:
    manifest = json.loads(archive.read(_MANIFEST))
    found = manifest.get("format")
    if found != FORMAT:
        raise ConfigError(
            f"{path}: is a saved state of format {found!r:.20}, and only format {FORMAT} is "
            "supported; extract its scenario.yaml and run that again"
        )
    state = _value(json.loads(archive.read(_STATE)), archive, set(archive.namelist()))
    if not isinstance(state, State):
        raise ConfigError(f"{path}: is not a saved state: {_STATE} is not a JSON object")
    return SavedState(
        scenario=_scenario(path, _SCENARIO, archive),
        built=_scenario(path, _BUILT, archive),
        state=state,
        state_hash=manifest["state_hash"],
        fingerprint=manifest["fingerprint"],
    )


def _value(data: object, archive: zipfile.ZipFile, unused: set[str]) -> Value:
    """Return a state value from JSON; each array is read at most once."""
    match data:
        case {"$array": str(name), **rest} if not rest:
            unused.remove(name)
            return _array(archive.read(name), name)
        case {"$float": ("nan" | "inf" | "-inf") as text, **rest} if not rest:
            return float(text)
        case dict():
            return State({str(k): _value(item, archive, unused) for k, item in data.items()})
        case list():
            return [_value(item, archive, unused) for item in data]
        case None | bool() | int() | float() | str():
            return data
    raise TypeError(f"{type(data).__name__} is not a valid state value")


def _array(content: bytes, name: str) -> AnyArray:
    """Read one array; what its header claims must be there, no more and no less."""
    file = io.BytesIO(content)
    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, fortran, dtype = read(file)
    if dtype.hasobject or math.prod(shape) * dtype.itemsize != len(content) - file.tell():
        raise ValueError(f"{name} is not the array that it claims to be")
    flat: AnyArray = np.frombuffer(content, dtype, offset=file.tell())
    return flat.reshape(shape[::-1]).T if fortran else flat.reshape(shape)


def _scenario(path: Path, name: str, archive: zipfile.ZipFile) -> Scenario:
    where = f"{path}: {name}"
    data = rooted(parse_yaml(archive.read(name).decode(), where), "scenario", path.resolve().parent)
    return from_data(Scenario, data, where)
