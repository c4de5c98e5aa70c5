"""Classes from Python files beside a scenario, world or robot file."""

import sys
from hashlib import blake2b
from pathlib import Path
from types import ModuleType

from outrider.components.component import Component
from outrider.components.faults import told, where_it_failed
from outrider.core.errors import ComponentError, near_match
from outrider.core.files.package_files import LIBRARY, real_path
from outrider.core.trust import is_trusted
from outrider.loader.installed import installed_libraries

_MOST_BYTES = 4 << 20
_modules: dict[Path, ModuleType] = {}


def class_in(file: str, name: str, where: str) -> type[Component]:
    """Return a component's class from a file; the file runs once, and only if it is trusted."""
    path = real_path(Path(file))
    if not may_run(path):
        raise ComponentError(
            f"{where}: '{path}' is Python code, which can do anything that you can:"
            " read it, then allow it with --trust (in Python: trust=True)"
        )
    module = _modules.get(path) or read_again(path, where)
    found = getattr(module, name, None)
    if isinstance(found, type) and issubclass(found, Component) and found is not Component:
        return found
    known = [key for key, value in vars(module).items() if _is_own(value, module)]
    raise ComponentError(
        f"{where}: {path.name} has no component class '{name}'{near_match(name, known)};"
        f" it has: {', '.join(known) or 'none (derive it from outrider.Component)'}"
    )


def may_run(path: Path) -> bool:
    """Return whether a file is trusted, or came with the program or an installed package."""
    return is_trusted(path) or any(
        path.is_relative_to(folder) for folder in (LIBRARY, *installed_libraries())
    )


def read_again(path: Path, where: str) -> ModuleType:
    """Run a file anew; if that fails, what was read before stays."""
    made = ModuleType(f"outrider_component_{path.stem}_{_key(path)}")
    made.__file__ = str(path)
    before = sys.modules.get(made.__name__)
    sys.modules[made.__name__] = made  # where annotations are looked up
    try:
        exec(compile(_text(path, where), str(path), "exec"), vars(made))
    except ComponentError:
        _put_back(made.__name__, before)
        raise
    except (Exception, SystemExit) as error:
        _put_back(made.__name__, before)
        place = where_it_failed(error, str(path))
        raise ComponentError(f"{where}: {place}: {told(error)}") from error
    _modules[path] = made
    return made


def _put_back(name: str, before: ModuleType | None) -> None:
    del sys.modules[name]
    if before is not None:
        sys.modules[name] = before


def _text(path: Path, where: str) -> bytes:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise ComponentError(f"{where}: '{path}' cannot be read: {error.strerror}") from None
    if len(text) > _MOST_BYTES:
        raise ComponentError(f"{where}: '{path}' is larger than a Python file should be")
    return text


def _key(path: Path) -> str:
    return blake2b(str(path).encode(), digest_size=4).hexdigest()


def _is_own(value: object, module: ModuleType) -> bool:
    is_class = isinstance(value, type) and issubclass(value, Component)
    return is_class and getattr(value, "__module__", "") == module.__name__
