"""xacro files expanded to URDF by the xacro package, which asks us for files and variables.

xacro keeps its state in its module and looks packages up in a ROS installation. Here it runs under
a lock with its doors replaced: files are opened only where a model may read, ``$(find)`` looks where
meshes are looked for, and ``$(env)`` sees the variables that were given, not the process's own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.dom import minidom

from outrider.core.errors import FormatError
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.import_notes import Notes
from outrider.formats.xml_source import XmlSource, read_bounded

MAX_INCLUDES = 1000
MAX_DEPTH = 200  # of macros in macros: Python's own stack ends soon after
_LOCK = threading.Lock()


class _Absent(Exception):  # noqa: N818 - carried through xacro, never seen by callers
    """A package that was asked for and is not there."""


@dataclass(slots=True)
class Expanded:
    """A URDF text, and the folders of the packages that it was made from."""

    text: str
    packages: tuple[Path, ...] = ()


@dataclass(slots=True)
class _Doors:
    """What xacro reaches the outside through, in one expansion."""

    xacro: Any
    assets: AssetPaths
    env: Mapping[str, str]
    notes: Notes
    lenient: bool
    packages: dict[str, Path] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)  # file named in an include -> what failed
    files: int = 0

    def find(self, name: str) -> str:
        if name not in self.packages:
            try:
                self.packages[name] = self.assets.package(name)
            except FormatError as error:
                raise _Absent(str(error)) from None
        return str(self.packages[name])

    def env_value(self, name: str) -> str:
        if name not in self.env:
            raise FormatError(f"the environment variable {name} is not set")
        return self.env[name]

    def optional_env(self, name: str, default: str = "") -> str:
        return self.env.get(name, default)

    def checked(self, name: str | Path) -> Path:
        """Return a path that may be read; included files are counted, too."""
        self.files += 1
        if self.files > MAX_INCLUDES:
            raise FormatError(f"more than {MAX_INCLUDES} files are included")
        path = Path(name)
        inside = any(path.resolve().is_relative_to(root) for root in self.packages.values())
        if not inside and not self.assets.within(path):
            raise FormatError(f"'{name}' lies outside the folders that may be read")
        return path

    def open(self, name: str) -> Any:
        return self.checked(name).open(encoding="utf-8")

    def parse(self, inp: object, filename: str | None = None) -> minidom.Document:
        """Read a file as safely as all other XML; ``inp`` is never used here."""
        del inp
        stack = self.xacro.filestack
        if stack.count(filename) > 1:
            raise FormatError(f"{filename} includes itself")
        path = self.checked(str(filename))
        data = read_bounded(path)
        XmlSource(str(path), data)  # refuses entities and what is not well-formed
        return minidom.parseString(data)

    def include(self, original: Callable[..., None]) -> Callable[..., None]:
        """Go on without files of packages that are not there: their macros may not be used."""

        def process_include(element: Any, *args: Any) -> None:
            wanted, depth = element.getAttribute("filename"), len(self.xacro.filestack)
            try:
                original(element, *args)
            except self.xacro.XacroException as error:
                if not isinstance(error.exc, _Absent):
                    raise
                del self.xacro.filestack[depth:]
                self.absent[wanted] = str(error.exc)
                element.parentNode.removeChild(element)

        return process_include

    def call(self, original: Callable[..., bool]) -> Callable[..., bool]:
        """Tell of a macro that would come from a package that is not there."""

        def handle_macro_call(node: Any, macros: Any, symbols: Any) -> bool:
            if len(self.xacro.macrostack) > MAX_DEPTH:
                raise FormatError("macros call one another without end")
            name = node.tagName
            try:
                return original(node, macros, symbols)
            except self.xacro.XacroException as error:
                if f"unknown macro name: {name}" != str(error) or not self.absent:
                    raise
                reason = f"<{name}> is not defined: {self._reason(name)}"
                if not self.lenient:
                    raise FormatError(reason) from None
                self.notes.add("missing", f"{reason}; it was left out")
                node.parentNode.removeChild(node)
                return True

        return handle_macro_call

    def _reason(self, macro: str) -> str:
        """Return what is known of the files that were not there, the likely one first."""
        name = macro.removeprefix("xacro:")
        likely = [why for file, why in self.absent.items() if _stem(file) and _stem(file) in name]
        shown = list(dict.fromkeys(likely or self.absent.values()))
        return "; ".join(shown)

    def warn(self, *args: object, **_: object) -> None:
        self.notes.add("ignored", "xacro: " + " ".join(str(arg) for arg in args).strip())

    def note_absent(self) -> None:
        for file, why in self.absent.items():
            self.notes.add("missing", f"'{file}' was not included: {why}")


def expand_xacro(
    path: Path,
    args: Mapping[str, str],
    env: Mapping[str, str],
    assets: AssetPaths,
    notes: Notes,
    lenient: bool = False,
) -> Expanded:
    """Return the URDF of a xacro file; ``args`` are its substitution arguments.

    An include from a package that is not there is noted. A macro that would come from it is an
    error that names the package; if ``lenient`` the call is left out.
    """
    xacro = _load()
    with _LOCK:
        doors = _Doors(xacro, assets, env, notes, lenient)
        with _replaced(xacro, doors):
            document = _process(xacro, path, dict(args))
    doors.note_absent()
    return Expanded(document.toxml(), tuple(doors.packages.values()))


def _load() -> ModuleType:
    try:
        import xacro
    except ImportError:
        raise FormatError("reading xacro files needs 'pip install xacro'") from None
    return xacro  # type: ignore[no-any-return,unused-ignore]


def _process(xacro: Any, path: Path, args: dict[str, str]) -> minidom.Document:
    try:
        document: minidom.Document = xacro.process_file(str(path), mappings=args, verbosity=0)
        return document
    except RecursionError:
        raise FormatError(f"{_place(xacro, path)}: macros call one another without end") from None
    except FormatError as error:
        raise FormatError(f"{_place(xacro, path)}: {error}") from None
    except xacro.XacroException as error:
        raise FormatError(f"{_place(xacro, path)}: {_sentence(error)}") from None
    except Exception as error:  # whatever an expression of the file throws
        raise FormatError(f"{_place(xacro, path)}: {type(error).__name__}: {error}") from None


def _place(xacro: Any, path: Path) -> str:
    """Return the file that was read, and the macros that were being expanded."""
    files = [name for name in xacro.filestack or [] if name] or [str(path)]
    macros = [macro.body.getAttribute("name") for macro in xacro.macrostack or []]
    return files[-1] + "".join(f": in macro '{name}'" for name in macros[-3:])


def _sentence(error: Any) -> str:
    cause = error.exc
    if isinstance(cause, _Absent | FormatError):
        return str(cause)
    if type(cause).__name__ == "ArgException":
        return f"the argument '{cause}' has no value: give {cause}:=VALUE"
    return " ".join(str(error).split())[:400]


@contextmanager
def _replaced(xacro: Any, doors: _Doors) -> Iterator[None]:
    """Put our doors into xacro's modules, and afterwards its own back."""
    from xacro import substitution_args as substitution

    known = substitution._eval_dict
    changes: list[tuple[Any, str, Any]] = [
        (xacro, "parse", doors.parse),
        (xacro, "open", doors.open),
        (xacro, "process_include", doors.include(xacro.process_include)),
        (xacro, "handle_macro_call", doors.call(xacro.handle_macro_call)),
        (xacro, "warning", doors.warn),
        (xacro, "print_location", lambda: None),
        (xacro, "all_includes", []),
        (xacro, "root_dir", "/"),
        (substitution, "_eval_find", doors.find),
        (substitution, "_eval_env", doors.env_value),
        (substitution, "_eval_optenv", doors.optional_env),
        (substitution, "_eval_dict", known | {
            "find": doors.find, "env": doors.env_value, "optenv": doors.optional_env
        }),
    ]  # fmt: skip
    before = [(module, name, getattr(module, name, None)) for module, name, _ in changes]
    try:
        for module, name, value in changes:
            setattr(module, name, value)
        yield
    finally:
        for module, name, value in before:
            if value is None:
                delattr(module, name)
            else:
                setattr(module, name, value)


def _stem(file: str) -> str:
    return Path(file.replace("$(", "").replace(")", "")).name.split(".")[0]
