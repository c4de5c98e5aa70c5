"""xacro files expanded to URDF by the xacro package, which asks us for files and variables.

xacro keeps its state in its module and looks packages up in a ROS installation. Here it runs under
a lock with its openings replaced: files are opened only where a model may read, ``$(find)`` looks
where meshes are looked for, and ``$(env)`` sees the variables that were given, not the process's.
"""

import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from xml.dom import minidom

from outrider.core.errors import FormatError, near_match
from outrider.core.structure import Data
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.notes import Notes
from outrider.formats.urdf.xacro_guard import Budget
from outrider.formats.urdf.xacro_sandbox import AbsentPackageError, XacroSandbox
from outrider.formats.urdf.xacro_sources import XacroSources

_LOG = logging.getLogger("outrider")
_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Expanded:
    """A URDF text, and what it was made from."""

    text: str
    packages: tuple[Path, ...] = ()  # their folders
    absent: tuple[str, ...] = ()  # packages that were not found
    places: tuple[str, ...] = ()  # where each element was written: file and line
    only_macros: tuple[str, ...] = ()  # their names, where it uses none and has no link


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
    xacro: ModuleType = _load()
    with _LOCK:
        sources, budget = XacroSources(path, notes), Budget(assets.sealed)
        sandbox = XacroSandbox(xacro, assets, env, notes, lenient, sources, budget=budget)
        with _replaced(xacro, sandbox):
            document = _process(xacro, path, dict(args), sandbox)
    sandbox.note_absent()
    _tell_unused(path, args, sandbox)
    places = sandbox.sources.places(document)
    packages = tuple(sandbox.packages.values())
    has_links = bool(document.getElementsByTagName("link"))
    only_macros = () if has_links or sandbox.calls_macros else sandbox.sources.macros
    return Expanded(document.toxml(), packages, sandbox.absent_packages, places, only_macros)


def _tell_unused(path: Path, args: Mapping[str, str], sandbox: XacroSandbox) -> None:
    """Say of each argument that no file asks for that it has no effect: it may be a slip."""
    for name in sorted(set(args) - sandbox.arguments):
        near = near_match(name, sorted(sandbox.arguments))
        sentence = f"the argument '{name}' has no effect: {path.name} has none of that name{near}"
        sandbox.notes.add("ignored", sentence)
        _LOG.warning(sentence)


def _load() -> ModuleType:
    try:
        import xacro
    except ImportError:
        raise FormatError("reading xacro files needs 'pip install xacro'") from None
    return xacro  # type: ignore[no-any-return,unused-ignore]


def _process(
    xacro: ModuleType, path: Path, args: dict[str, str], sandbox: XacroSandbox
) -> minidom.Document:
    try:
        document: minidom.Document = xacro.process_file(str(path), mappings=args, verbosity=0)
        return document
    except (RecursionError, MemoryError):
        raise FormatError(f"{_location(xacro, path)}: it expands without end") from None
    except xacro.XacroException as error:
        sentence = _sentence(error)
        where = _location(xacro, path, sandbox.sources.location(sentence) or sandbox.failed_at)
        raise FormatError(f"{where}: {sentence}") from None
    except FormatError as error:
        raise FormatError(_with_location(str(error), _location(xacro, path))) from None
    except Exception as error:  # whatever an expression of the file throws
        raise FormatError(f"{_location(xacro, path)}: {type(error).__name__}: {error}") from None


def _with_location(sentence: str, place: str) -> str:
    return sentence if sentence.startswith(place.split(": ")[0]) else f"{place}: {sentence}"


def _location(xacro: ModuleType, path: Path, line: str = "") -> str:
    """Return the file that was read, the line if it is known, and the macros on the way."""
    files = [str(name) for name in xacro.filestack or [] if name] or [str(path)]
    macros = [macro.body.getAttribute("name") for macro in xacro.macrostack or []]
    return (line or files[-1]) + "".join(f": in macro '{name}'" for name in macros[-3:])


def _sentence(error: object) -> str:
    cause = error
    while cause is not None and not isinstance(cause, AbsentPackageError | FormatError):
        if type(cause).__name__ == "ArgException":
            return f"the argument '{cause}' has no value: give {cause}:=VALUE"
        if type(cause).__name__ == "SubstitutionException":  # xacro tells its class, and twice
            return " ".join(str(cause).split())[:600]
        cause = getattr(cause, "exc", None)
    return " ".join(str(error if cause is None else cause).split())[:600]


@contextmanager
def _replaced(xacro: ModuleType, sandbox: XacroSandbox) -> Iterator[None]:
    """Put our sandbox into xacro's modules, and afterwards its own back."""
    from xacro import substitution_args as substitution

    symbols = {"find": sandbox.find, "env": sandbox.env_value, "optenv": sandbox.optional_env}
    changes: Data = {
        "parse": sandbox.parse,
        "open": sandbox.open,
        "glob": sandbox,
        "get_include_files": sandbox.include_files(xacro.get_include_files),
        "process_include": sandbox.include(xacro.process_include),
        "handle_macro_call": sandbox.call(xacro.handle_macro_call),
        "safe_eval": sandbox.checked_eval(xacro.safe_eval),
        "warning": sandbox.warn,
        "message": sandbox.warn,
        "error": sandbox.warn,
        "print_location": lambda: None,
        "_global_symbols": xacro._global_symbols | sandbox.budget.functions(),
        "all_includes": [],
        "root_dir": "/",
    }
    changes_below: Data = {
        "_eval_find": sandbox.find,
        "_eval_env": sandbox.env_value,
        "_eval_optenv": sandbox.optional_env,
        "_eval": sandbox.checked_eval(substitution._eval),
        "_eval_dict": substitution._eval_dict | symbols | sandbox.budget.functions(),
    }
    with _set(xacro, changes), _set(substitution, changes_below):
        yield


@contextmanager
def _set(module: object, changes: Mapping[str, object]) -> Iterator[None]:
    before = {name: getattr(module, name) for name in changes if hasattr(module, name)}
    try:
        for name, value in changes.items():
            setattr(module, name, value)
        yield
    finally:
        for name in changes:
            if name in before:
                setattr(module, name, before[name])
            else:
                delattr(module, name)
