"""Temporary files of ours: in the cache under names that tell whose they are, and swept later."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree

from outrider.core.cache_folder import cache_dir
from outrider.core.files.atomic_file import beside, remove_leftovers


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Give an empty folder for a while; that of a process that is killed goes at the next start."""
    home = cache_dir() / "scratch"
    home.mkdir(parents=True, exist_ok=True)
    remove_leftovers(home)
    made = beside(home / "work")
    made.mkdir(mode=0o700)
    try:
        yield made
    finally:
        rmtree(made, ignore_errors=True)


def sweep_cache() -> None:
    """Remove what killed processes left anywhere in the cache."""
    root = cache_dir()
    remove_leftovers(root)
    with suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                remove_leftovers(Path(entry.path))
