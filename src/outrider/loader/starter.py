"""New packages of one's own, written from the starters of the library."""

import keyword
import re
import sys
from pathlib import Path
from string import Template
from typing import Literal, TypeAlias, get_args

from outrider.core.errors import ConfigError
from outrider.core.files.atomic_file import whole_folder, write_whole
from outrider.core.files.package_files import LIBRARY
from outrider.core.files.yaml_file import read_yaml

Starter: TypeAlias = Literal["component", "sensor", "robot", "bridge"]
STARTERS: tuple[Starter, ...] = get_args(Starter)
_FOLDER = LIBRARY / "starters"
_NAME = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")
_LONGEST = 40


def write_starter(kind: Starter, name: str, folder: Path) -> list[Path]:
    """Write a package of a name into a new folder; return its files."""
    words = _words(kind, check_package_name(name))
    written = []
    with whole_folder(folder):
        for root in (_FOLDER / "common", _FOLDER / kind):
            for source in sorted(root.rglob("*.in")):
                target = folder / _named(source.relative_to(root), words)
                text = Template(source.read_text("utf-8")).substitute(words)
                write_whole(target, text.encode())
                written.append(target)
    return sorted(written)


def check_package_name(name: str) -> str:
    """Return a name that a package can have, else raise."""
    if not _NAME.fullmatch(name) or len(name) > _LONGEST:
        raise ConfigError(
            f"'{name}' cannot be the name of a package: use at most {_LONGEST} lowercase letters"
            " and digits, with single - or _ between them, and a letter first"
        )
    module = _module(name)
    if keyword.iskeyword(module) or module in sys.stdlib_module_names or module == "outrider":
        raise ConfigError(f"'{name}' is a reserved word of Python or Outrider; choose another name")
    return name


def _module(name: str) -> str:
    return name.replace("-", "_")


def _words(kind: Starter, name: str) -> dict[str, str]:
    """Return what the placeholders stand for."""
    words = {"name": name, "module": _module(name)}
    words["Class"] = "".join(part.capitalize() for part in re.split("[-_]", name))
    texts = read_yaml(_FOLDER / kind / "starter.yaml")
    return words | {key: Template(str(text)).substitute(words) for key, text in texts.items()}


def _named(path: Path, words: dict[str, str]) -> Path:
    """Return a path with the package's own names in it, without the ending of templates."""
    parts = [re.sub("module|name", lambda found: words[found[0]], part) for part in path.parts]
    return Path(*parts).with_suffix("")
