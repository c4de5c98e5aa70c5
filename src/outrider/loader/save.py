"""Writes worlds and models as plain files that people can read, edit and load again."""

import os
from dataclasses import fields
from pathlib import Path

from outrider.core.files.atomic_file import write_whole
from outrider.core.files.yaml_file import yaml_text
from outrider.core.structure import Data, plain
from outrider.specs.references import FileKind, map_files
from outrider.specs.world import ModelSpec, ObjectSpec, ShapeSpec, WorldSpec

_FARTHEST = 2  # how many folders up a saved file looks for another before it names the whole path


def save_world(spec: WorldSpec, path: Path | str) -> Path:
    """Write a world's file; the old one stays whole until the new one is complete."""
    return save_data(_with_ground(spec), "world", Path(path))


def save_model(spec: ModelSpec, path: Path | str) -> Path:
    """Write a model's file, for worlds to include."""
    return save_data(plain(spec), "model", Path(path))


def save_data(data: Data, kind: FileKind, path: Path) -> Path:
    """Write any of our files; the files it names are named as seen from its folder."""
    folder = path.parent.resolve()
    moved = map_files(data, kind, lambda name: seen_from(folder, Path(name)))
    write_whole(path, yaml_text(moved).encode())
    return path


def seen_from(folder: Path, file: Path) -> str:
    """Return a file's path relative to a folder, or its absolute path if it is elsewhere."""
    if not file.is_absolute():
        return str(file)  # it was meant from there
    try:
        near = os.path.relpath(file.resolve(), folder)
    except ValueError:  # on another drive
        return str(file.resolve())
    ups = Path(near).parts.count("..")
    return Path(near).as_posix() if ups <= _FARTHEST else str(file.resolve())


def _with_ground(spec: WorldSpec) -> Data:
    """Return a world's data with ground and shapes written out: it is what people look for."""
    data = {"name": spec.name, **plain(spec)}
    head = {key: data.pop(key) for key in ("name", "description") if key in data}
    out = {**head, "ground": plain(spec.ground)}
    out |= {key: item for key, item in data.items() if key != "ground"}
    for item, found in zip(spec.objects, data.get("objects", ()), strict=False):
        _write_out(item, found)
    return out


def _write_out(item: ObjectSpec, data: Data) -> None:
    if item.shape is not None:
        data["shape"] = _every_figure(item.shape)
    for part, found in zip(item.parts, data.get("parts", ()), strict=False):
        found["shape"] = _every_figure(part.shape)


def _every_figure(shape: ShapeSpec) -> Data:
    return {f.name: plain(getattr(shape, f.name)) for f in fields(shape)}
