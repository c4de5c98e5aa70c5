"""The sandbox of the xacro package: files, packages, variables, expressions."""

import glob
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.dom import minidom

from outrider.core.errors import FormatError
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.files_read import note_read
from outrider.formats.notes import Notes
from outrider.formats.urdf.xacro_expression import check_expression
from outrider.formats.urdf.xacro_guard import MAX_SIZE, Budget, guarded
from outrider.formats.urdf.xacro_sources import XacroSources, call_place
from outrider.formats.xml_source import (
    MAX_BYTES,
    XmlSource,
    read_bounded,
    without_odd_declaration,
)

MAX_FILES = 1000
MAX_DEPTH = 100  # of macros in macros: Python's own stack ends soon after
MAX_CALLS = 100_000
_UNKNOWN = "unknown macro name: "
# an argument's declaration, and the two ways to ask for its value
_MAGIC = re.compile(r"[*?[]")
_ARGUMENT = re.compile(
    rb"""(?:<xacro:arg\s[^>]*?\bname=["']|\$\(arg\s+|\barg\(\s*["'])([^"')\s]+)"""
)


class AbsentPackageError(Exception):
    """A package that was asked for and is not there."""

    def __init__(self, name: str, sentence: str) -> None:
        super().__init__(sentence)
        self.name = name
        self.place = ""  # file and line of the include


@dataclass(slots=True)
class XacroSandbox:
    """Files and variables that one expansion may see, and what it looked for in vain."""

    xacro: ModuleType
    assets: AssetPaths
    env: Mapping[str, str]
    notes: Notes
    lenient: bool
    sources: XacroSources
    packages: dict[str, Path] = field(default_factory=dict)
    absent: dict[str, AbsentPackageError] = field(default_factory=dict)  # by the file included
    budget: Budget = field(default_factory=Budget)
    failed_at: str = ""  # file and line of the innermost call of a macro that failed
    arguments: set[str] = field(default_factory=set)  # that the files declare or ask for
    calls_macros: bool = False
    _including: bool = False
    _files: int = 0
    _calls: int = 0

    def find(self, name: str) -> str:
        """Return the folder of a package, for ``$(find)``."""
        if name not in self.packages:
            try:
                self.packages[name] = self.assets.package(name)
            except FormatError as error:
                return self._without(name, str(error))
        return str(self.packages[name])

    def _without(self, name: str, sentence: str) -> str:
        """Stop an include; anywhere else the address alone does no harm."""
        if self._including:
            raise AbsentPackageError(name, sentence)
        self.notes.add("missing", sentence)
        return f"package://{name}"

    def env_value(self, name: str) -> str:
        """Return a variable that must be there, for ``$(env)``."""
        if name not in self.env:
            raise FormatError(f"the environment variable {name} is not set")
        return self.env[name]

    def optional_env(self, name: str, default: str = "") -> str:
        """Return a variable or the default, for ``$(optenv)``."""
        return self.env.get(name, default)

    def open(self, name: str) -> Any:
        """Open a file of parameters, if it may be read."""
        path = self._checked(name)
        note_read(path)
        if path.stat().st_size > MAX_BYTES:
            raise FormatError(f"{path}: the file is larger than {MAX_BYTES >> 20} MB")
        return path.open(encoding="utf-8")

    def parse(self, inp: object, filename: str) -> minidom.Document:
        """Read a file as safely as all other XML; ``inp`` is never used here."""
        del inp
        if list(self.xacro.filestack).count(filename) > MAX_DEPTH:
            raise FormatError(f"{filename} includes itself without end")
        try:
            path = self._checked(filename)
            data = read_bounded(path)
        except FormatError as error:
            self.xacro.filestack.pop()  # the sentence is about the file that asked
            # as an OSError, which optional includes are allowed to meet
            raise self.xacro.XacroException(str(error), exc=OSError()) from None
        checked = XmlSource(str(path), data)  # refuses entities and what is not well-formed
        self.arguments |= {name.decode(errors="replace") for name in _ARGUMENT.findall(data)}
        return self.sources.add(path, without_odd_declaration(data), checked.lines())

    def _checked(self, name: str) -> Path:
        """Return a path that may be read; files are counted, too."""
        self._files += 1
        if self._files > MAX_FILES:
            raise FormatError(f"more than {MAX_FILES} files are included")
        path = Path(name).resolve()
        if not self._inside(path):
            raise self._outside(name, path)
        return path

    def _inside(self, path: Path) -> bool:
        """Return whether a path, resolved, may be read."""
        first = path == self.sources.first.resolve()  # a peer's text: nothing lies beside it
        known = first or any(path.is_relative_to(root) for root in self.packages.values())
        return known or self.assets.within(path)

    def _outside(self, name: str, path: Path) -> FormatError:
        return FormatError(
            f"'{name}' lies outside the folders that may be read{self.assets.way_to_allow(path)}"
        )

    def glob(self, pattern: str) -> list[str]:
        """Return the files that an include with a pattern means; peers could search the disk so."""
        if self.assets.sealed:
            raise FormatError(
                f"'{pattern}': a description sent to a running simulation includes no patterns"
            )
        fixed = Path(_MAGIC.split(pattern, maxsplit=1)[0] + "_")  # what is there plays no part
        if not self._inside(fixed.parent.resolve()):
            raise self._outside(pattern, fixed)
        found = glob.glob(pattern)  # noqa: PTH207 - as xacro does, absolute patterns too
        return [name for name in found if self._inside(Path(name).resolve())]

    def include_files(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Let a package that is not there stop an include."""

        def get_include_files(*args: object) -> list[str]:
            self._including = True
            try:
                return list(original(*args))
            finally:
                self._including = False

        return get_include_files

    def include(self, original: Callable[..., None]) -> Callable[..., None]:
        """Go on without files of packages that are not there: their macros may not be used."""

        def process_include(element: Any, *args: Any) -> None:
            wanted, depth = element.getAttribute("filename"), len(self.xacro.filestack)
            try:
                original(element, *args)
            except self.xacro.XacroException as error:
                if not isinstance(error.exc, AbsentPackageError):
                    raise
                del self.xacro.filestack[depth:]
                error.exc.place = call_place(element)
                self.absent[wanted] = error.exc
                element.parentNode.removeChild(element)

        return process_include

    def call(self, original: Callable[..., bool]) -> Callable[..., bool]:
        """Tell of a macro that would come from a package that is not there."""

        def handle_macro_call(node: Any, macros: Any, symbols: Any) -> bool:
            self._count()
            try:
                is_macro = original(node, macros, symbols)
                self.calls_macros |= is_macro
                return is_macro
            except self.xacro.XacroException as error:
                if str(error) != _UNKNOWN + node.tagName or not self.absent:
                    self.failed_at = self.failed_at or call_place(node)
                    raise
                self._refuse(node)
                return True

        return handle_macro_call

    def _count(self) -> None:
        self._calls += 1
        self.budget.step()
        if self._calls > MAX_CALLS or len(self.xacro.macrostack) > MAX_DEPTH:
            raise FormatError("macros call one another without end")

    def _refuse(self, node: Any) -> None:
        place = call_place(node) or str(self.sources.first)
        reason = f"{place}: <{node.tagName}> is not defined: {self._reason(node.tagName)}"
        if not self.lenient:
            raise FormatError(reason)
        self.notes.add("missing", f"{reason}; it was left out")
        node.parentNode.removeChild(node)

    def _reason(self, macro: str) -> str:
        """Return which package is missing: the one that looks like the macro, or all of them."""
        name = macro.removeprefix("xacro:")
        files = [f for f in self.absent if _stem(f) in name or name in _stem(f)]
        found = {self.absent[f].name: str(self.absent[f]) for f in files or self.absent}
        if len(found) == 1:
            return next(iter(found.values()))
        names = ", ".join(f"'{package}'" for package in found)
        searched = next(iter(found.values())).partition("; searched ")[2]
        return f"none of {names}, which may define it, was found; searched {searched}"

    def checked_eval(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Look at expressions before they are evaluated."""

        def safe_eval(text: str, *args: object) -> Any:
            check_expression(text)
            result = original(guarded(text), *args)
            if isinstance(result, str) and len(result) > MAX_SIZE:
                raise FormatError(f"an expression makes more than {MAX_SIZE} letters")
            return result

        return safe_eval

    def warn(self, *args: object, **_: object) -> None:
        """Keep what xacro would print."""
        self.notes.add("ignored", "xacro: " + " ".join(str(arg) for arg in args).strip())

    @property
    def absent_packages(self) -> tuple[str, ...]:
        """The packages that were looked for in vain."""
        return tuple(dict.fromkeys(absent.name for absent in self.absent.values()))

    def note_absent(self) -> None:
        """Say once for each package what was not included."""
        for name in self.absent_packages:
            files = [_stem(f) for f, absent in self.absent.items() if absent.name == name]
            first = next(absent for absent in self.absent.values() if absent.name == name)
            place = f"{first.place}: " if first.place else ""
            self.notes.add("missing", f"{place}{first}; not included: {', '.join(files)}")


def _stem(file: str) -> str:
    return file.replace("\\", "/").rpartition("/")[2].split(".")[0] or file
