"""Files that installed packages bring: robots, worlds, scenarios and sensors under their names.

A package names itself in the entry point group ``outrider.library`` and has a folder ``library``,
laid out as ours is.
"""

import logging
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path

_GROUP = "outrider.library"
_LOG = logging.getLogger(__name__)


@cache
def installed_libraries() -> tuple[Path, ...]:
    """Return the library folders of installed packages, in the order of their names."""
    modules = sorted({entry.module for entry in entry_points(group=_GROUP)})
    found = [(module, _folder(module)) for module in modules]
    for module, folder in found:
        if folder is None:
            _LOG.warning("the package '%s' has no folder 'library': it is left out", module)
    return tuple(folder for _, folder in found if folder is not None)


def _folder(module: str) -> Path | None:
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return None
    places = (spec.submodule_search_locations or ()) if spec else ()
    folders = (Path(place) / "library" for place in places)
    return next((folder for folder in folders if folder.is_dir()), None)
