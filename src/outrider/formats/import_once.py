"""Files of others that a run asks for several times, read once."""

import shlex
from dataclasses import replace
from pathlib import Path

from outrider.core.errors import FormatError
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.files_read import Stamps, note_read, unchanged, watched
from outrider.formats.import_file import Imported, ImportOptions, import_file

_MOST = 4
_kept: dict[tuple[object, ...], tuple[Stamps, Imported]] = {}


def import_once(path: Path, args: dict[str, str], search: tuple[str, ...]) -> Imported:
    """Return what a file holds, complete or not at all; the same until one of its files changes."""
    path = path.resolve()
    key = (path, tuple(sorted(args.items())), search)
    if key in _kept and unchanged(_kept[key][0]):
        return _kept[key][1]
    options = ImportOptions(args, tuple(Path(place) for place in search), lenient=False)
    with watched() as stamps:
        note_read(path)
        found = _complete(path, options)
    _kept.pop(key, None)
    while len(_kept) >= _MOST:
        _kept.pop(next(iter(_kept)))
    _kept[key] = stamps, found
    return found


def _complete(path: Path, options: ImportOptions) -> Imported:
    """Read a file; where only files that it names are missing, say how to do without them."""
    try:
        return import_file(path, options)
    except FormatError as error:
        sent = AssetPaths(path.parent).sealed  # by a peer: there is no file to import
        if sent or not _is_readable(path, replace(options, lenient=True)):
            raise
        typed = f"outrider import {shlex.quote(str(path))} --to FOLDER"
        raise FormatError(f"{error}; '{typed}' leaves out what is missing") from None


def _is_readable(path: Path, options: ImportOptions) -> bool:
    try:
        return bool(import_file(path, options).report.of("missing"))
    except FormatError:
        return False
