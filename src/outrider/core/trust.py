"""Code of a scenario or project runs only if the person who opens it has said yes.

What is trusted is kept in the environment, so that processes of a series or sweep know it too:
files, or folders with all that is in them, as in ``PATH``.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from outrider.core.files.package_files import real_path

TRUST_VARIABLE = "OUTRIDER_TRUST"


def trust(files: Iterable[Path]) -> None:
    """Let the code in these files and folders run from now on, also in processes started here."""
    known = _trusted()
    known += [path for path in (real_path(file) for file in files) if path not in known]
    os.environ[TRUST_VARIABLE] = os.pathsep.join(str(path) for path in known)


def is_trusted(file: Path) -> bool:
    """Return whether the person who runs this has said yes to a file or to a folder around it."""
    file = real_path(file)
    return any(file == path or path in file.parents for path in _trusted())


def _trusted() -> list[Path]:
    listed = os.environ.get(TRUST_VARIABLE, "").split(os.pathsep)
    return [real_path(Path(text).expanduser()) for text in listed if text]
