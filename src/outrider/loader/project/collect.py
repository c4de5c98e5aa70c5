"""Collects everything a project needs: files, and texts with rewritten paths."""

import os
import posixpath
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from outrider.core.errors import ConfigError
from outrider.core.files.package_files import LIBRARY, is_file, real_path
from outrider.core.files.yaml_file import read_yaml, yaml_text
from outrider.formats.inner_references import found_in, has_inner, replaced
from outrider.loader.library import shown_path
from outrider.specs.file_kinds import is_kind
from outrider.specs.references import map_files

Content: TypeAlias = Path | bytes  # a file to copy, or a text that was rewritten

_NOT_OURS = ("__pycache__", "node_modules")
_OWN_CODE = "code"  # the user's: whatever YAML lies there is not looked into


@dataclass(slots=True)
class Collection:
    """The contents of the project's zip file, by name; ``notes`` list what was not found."""

    files: dict[str, Content] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)  # what came from elsewhere


def collect(root: Path) -> Collection:
    """Return all files of a project and everything they refer to outside it."""
    collector = _Collector(root.resolve())
    for path in project_files(collector.root):
        collector.take(path, path.relative_to(collector.root).as_posix())
    if collector.missing:
        raise ConfigError(f"{shown_path(root)}: files are missing: {'; '.join(collector.missing)}")
    return collector.found


def project_files(root: Path) -> Iterator[Path]:
    """Yield the files of a project's folder, sorted; hidden ones are the user's own affair."""
    for folder, names, files in os.walk(root):
        names[:] = sorted(n for n in names if not n.startswith(".") and n not in _NOT_OURS)
        for name in names:
            if Path(folder, name).is_symlink():
                raise ConfigError(f"{Path(folder, name)}: is a link to a folder; copy it instead")
        yield from (Path(folder, name) for name in sorted(files) if not name.startswith("."))


class _Collector:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.found = Collection()
        self.missing: list[str] = []
        self._names: dict[Path, str] = {}  # where a file from outside was put

    def take(self, path: Path, name: str) -> None:
        """Add a file under a name, with everything it refers to."""
        if name in self.found.files:
            return
        _check_kept(path)
        self.found.files[name] = path
        if is_kind(path, "own") and name.split("/")[0] != _OWN_CODE:
            self.found.files[name] = self._rewritten_yaml(path, name)
        elif has_inner(path):
            self.found.files[name] = self._rewritten(path, name)

    def _rewritten_yaml(self, path: Path, name: str) -> Content:
        """Return a YAML file unchanged, or rewritten if it refers to files outside."""
        changed = False

        def change(text: str) -> str:
            nonlocal changed
            target = real_path(path.parent / text)
            if not is_file(target):
                if not is_beside_library(text):
                    self.missing.append(f"'{text}' in {shown_path(path)}")
                return text
            inside = self._inside(target)
            if inside is not None and not Path(text).is_absolute():
                return text
            changed = True
            place = inside or self._place_asset(target)
            self.take(target, place)
            return posixpath.relpath(place, posixpath.dirname(name) or ".")

        data = map_files(read_yaml(path), "any", change)
        return yaml_text(data).encode() if changed else path

    def _rewritten(self, path: Path, name: str) -> Content:
        """Return a model or mesh file as it is, or with the places of its files rewritten."""
        changes: dict[str, str] = {}
        for text, target in found_in(path):
            if target is None:
                self.found.notes.append(f"{shown_path(path)}: '{text}' was not found and left out")
                continue
            place = self._place_near(path, name, target)
            self.take(target, place)
            call = posixpath.relpath(place, posixpath.dirname(name) or ".")
            if call != text:
                changes[text] = call
        return replaced(path, changes) if changes else path

    def _inside(self, target: Path) -> str | None:
        if target.is_relative_to(self.root):
            return target.relative_to(self.root).as_posix()
        return None

    def _place_asset(self, target: Path) -> str:
        """Return the name under ``assets/`` for a file from outside, and its folder's name."""
        if target not in self._names:
            self.found.outside.append(str(target))
            self._names[target] = self._free(f"assets/{target.parent.name or 'files'}", target)
        return self._names[target]

    def _place_near(self, owner: Path, name: str, target: Path) -> str:
        """Return a name below the file that needs it: models may not reach out of their folder."""
        folder = posixpath.dirname(name)
        below = target.is_relative_to(owner.parent)
        if below:
            return posixpath.join(folder, target.relative_to(owner.parent).as_posix())
        self.found.outside.append(str(target))
        return self._free(posixpath.join(folder, f"{owner.stem}_files"), target)

    def _free(self, folder: str, target: Path) -> str:
        name, number = posixpath.join(folder, target.name), 2
        while self.found.files.get(name, target) != target:
            name = posixpath.join(folder, f"{target.stem}_{number}{target.suffix}")
            number += 1
        return name


def is_beside_library(text: str) -> bool:
    """Return whether a plain name may be a file of the library: curves have a suffix."""
    return "/" not in text and (LIBRARY / "curves" / text).is_file()


def _check_kept(path: Path) -> None:
    """Refuse what cannot be copied: a pipe has no end, a link may lead to nothing."""
    try:
        kind = path.stat().st_mode
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror}") from None
    if not stat.S_ISREG(kind):
        raise ConfigError(f"{path}: is a pipe or device, not a file")


def leaving(root: Path) -> list[str]:
    """Return what a project's YAML files name outside its folder, each with its file."""
    root = root.resolve()
    found = []
    waiting = [
        path
        for path in project_files(root)
        if is_kind(path, "own") and path.relative_to(root).parts[0] != _OWN_CODE
    ]
    known = set(waiting)
    for path in waiting:  # which grows by what these name, wherever it lies

        def look(text: str, path: Path = path) -> str:
            target = real_path(path.parent / text)
            if not target.is_relative_to(root):
                found.append(f"'{text}' in {path.relative_to(root).as_posix()}")
            elif is_kind(target, "own") and target not in known and is_file(target):
                known.add(target)
                waiting.append(target)
            return text

        map_files(read_yaml(path), "any", look)
    return found
