"""The access policy for peers on all bridges and ports, by the classes of the service table."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from outrider.core.errors import BridgeError, ConfigError, FormatError, OutriderError, WorldError
from outrider.core.files.atomic_file import beside, remove_leftovers
from outrider.core.files.package_files import LIBRARY, real_path, spawned_folder
from outrider.core.process.notices import say_once
from outrider.messages.services.reading import Answer, Arguments, Service
from outrider.messages.services.table import SERVICES, ServiceClass
from outrider.specs.references import map_files

_DEVICES = r"(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|\Z))"  # what Windows takes for no files
_NAME = re.compile(_DEVICES + r"[a-z0-9_][a-z0-9_.-]{0,99}(?<!\.)", re.ASCII | re.IGNORECASE)
_OPTIONS = {"command": "commands=off", "control": "control=off"}
_WRITES = ("save_world", "save_state")
_OWN_USER_ONLY = ("reload_components",)  # runs code
# Files may name others, anywhere; what is wrong with those is told with a piece of their text.
_OF_FILES = (ConfigError, FormatError, WorldError)
_Check: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Access:
    """The access options of every bridge: ``ros1:control=off``."""

    commands: bool = True  # robots take commands that come over it
    control: bool = True  # it may pause, move, spawn and all else that changes the run


@dataclass(frozen=True, slots=True)
class Policy:
    """Which classes of services a peer may use, and which files."""

    classes: frozenset[ServiceClass] = frozenset({"read", "command", "control"})
    folder: Path | None = None  # the only one to write to and read from; None: none
    any_file: bool = False  # a peer that is the user: its files are the user's own

    @classmethod
    def of_folder(cls, folder: Path | None) -> "Policy":
        """Return the policy of a run whose user allowed a folder on the command line, or none."""
        if folder is None:
            return cls()
        if not folder.is_dir():
            raise BridgeError(f"--files: '{folder}' is not a folder")
        remove_leftovers(folder)
        return replace(cls(), folder=folder.resolve())

    def narrowed(self, access: Access) -> "Policy":
        """Return what is left of it for a bridge with these options."""
        gone: set[ServiceClass] = set()
        if not access.commands:
            gone.add("command")
        if not access.control:
            gone.add("control")
        return replace(self, classes=self.classes - gone)

    @property
    def commands(self) -> bool:
        """Whether a peer's commands reach the robots."""
        return "command" in self.classes

    @property
    def control(self) -> bool:
        """Whether a peer may change the run."""
        return "control" in self.classes

    def admit(self, service: str) -> None:
        """Refuse a service whose class is switched off."""
        kind: ServiceClass = SERVICES[service].kind if service in SERVICES else "control"
        needed: ServiceClass = "control" if kind == "files" else kind
        if needed not in self.classes:
            raise BridgeError(f"{service}: this bridge was opened with {_OPTIONS[needed]}")
        if service in _OWN_USER_ONLY and not self.any_file:
            raise BridgeError(
                f"{service}: only the user who started the run may do this, with 'outrider call'"
            )

    def admit_commands(self, operation: str) -> None:
        """Refuse commands where they are switched off."""
        if not self.commands:
            raise BridgeError(f"{operation}: this bridge was opened with {_OPTIONS['command']}")

    def readable(self, name: str, service: str) -> Path:
        """Return a file that a peer may have read."""
        path = self._inside(name, service)
        if not self.any_file and not path.is_file():
            raise BridgeError(f"{service}: there is no file '{name}' in the folder of --files")
        return path

    @contextmanager
    def writable(self, name: str, service: str) -> Iterator[Path]:
        """Yield a file that a peer may have written; it gets its name only when it is complete."""
        path = self._inside(name, service)
        if self.any_file:
            yield path
            return
        made = beside(path)
        try:
            if os.path.lexists(path):
                raise FileExistsError
            yield made
            made.chmod(0o600)
            _name(made, path)
        except FileExistsError:
            raise BridgeError(f"{service}: the file '{name}' already exists") from None
        except OSError as error:
            raise BridgeError(f"{service}: '{name}' cannot be written: {error.strerror}") from None
        except OutriderError as error:
            raise BridgeError(str(error).replace(made.name, name)) from None
        finally:
            with suppress(OSError):
                made.unlink(missing_ok=True)

    def _inside(self, name: str, service: str) -> Path:
        if self.any_file:
            return Path(name)
        if self.folder is None:
            raise BridgeError(
                f"{service}: clients may not use files on this computer; to allow a folder,"
                " start the run with --files DIR"
            )
        if not _NAME.fullmatch(name):
            raise BridgeError(
                f"{service}: expected a plain file name in the folder of --files, got {name!r:.80}"
            )
        path = self.folder / name
        if real_path(path).parent != self.folder:
            raise BridgeError(f"{service}: '{name}' is a link out of the folder of --files")
        return path


def _name(made: Path, path: Path) -> None:
    """Give a complete file its name; raises FileExistsError rather than replace another."""
    try:
        os.link(made, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        made.replace(path)


OWN_USER = Policy(any_file=True)  # of the local port: who has its token is the user who runs it


def guarded(services: Mapping[str, Service], policy: Policy) -> dict[str, Service]:
    """Return services that refuse what the policy does not allow, each in one sentence."""
    return {name: _guarded(name, service, policy) for name, service in services.items()}


def _guarded(name: str, service: Service, policy: Policy) -> Service:
    def ask(arguments: Arguments) -> Answer:
        policy.admit(name)
        if policy.any_file:
            return service(arguments)
        try:
            return _answered(arguments)
        except OutriderError as error:
            raise BridgeError(_without_folders(str(error), policy)) from None

    def _answered(arguments: Arguments) -> Answer:
        if name in _WRITES and isinstance(file := arguments.get("file"), str):
            with policy.writable(file, name) as path:
                return _named(service({**arguments, "file": str(path)}), file)
        read: list[str] = []
        checked = _with_files(name, arguments, lambda f: _readable(policy, f, name, read))
        try:
            return service(checked)
        except _OF_FILES as error:
            if not read:
                raise
            say_once(f"{name}: a client named '{read[0]}', which cannot be used: {error}")
            raise BridgeError(
                f"{name}: '{read[0]}' cannot be used; the terminal of the run says why"
            ) from None

    return ask


def _readable(policy: Policy, file: str, service: str, read: list[str]) -> str:
    """Return the path of a file that a peer names: one of the library, or one it may have read.

    The latter is noted in ``read``.
    """
    curve = LIBRARY / "curves" / file
    if _NAME.fullmatch(file) and curve.is_file():
        return str(curve)
    path = policy.readable(file, service)
    read.append(file)
    return str(path)


def _without_folders(text: str, policy: Policy) -> str:
    """Return what a peer is told: not where the user's folders are."""
    for folder in filter(None, (policy.folder, spawned_folder())):
        text = text.replace(f"{folder}{os.sep}", "")
    return text


def _named(answer: Answer, file: str) -> Answer:
    """Return an answer that names the file as the peer did, not where it lies."""
    return {**answer, "file": file} if "file" in answer else answer


def _with_files(service: str, arguments: Arguments, check: _Check) -> Arguments:
    """Return arguments whose names of files have all been checked; library names stay."""
    if _has_components(arguments):
        raise BridgeError(f"{service}: components may not be attached over a bridge")
    if service == "load_state" and isinstance(arguments.get("file"), str):
        return {**arguments, "file": check(arguments["file"])}
    if service == "load_world":
        return map_files(_plain(arguments, service), "scenario", check)
    place = {"add_robot": "robots", "add_object": "obstacles", "add_sensor": "sensors"}.get(service)
    if place is None:
        return arguments
    whole = map_files({place: [_plain(arguments, service)]}, "scenario", check)
    found: Arguments = whole[place][0]
    return found


def _has_components(value: object) -> bool:
    if isinstance(value, Mapping):
        return bool(value.get("components")) or any(map(_has_components, value.values()))
    return isinstance(value, list | tuple) and any(map(_has_components, value))


def _plain(arguments: Arguments, service: str) -> Arguments:
    """Refuse addresses where names are expected: they would be looked up past the policy."""
    for text in _texts(arguments):
        if "://" in text or "\0" in text:
            raise BridgeError(f"{service}: expected a name, got {text!r:.80}")
    return arguments


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
