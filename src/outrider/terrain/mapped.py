"""Heights on disk: written once in strips, then read only where they are needed."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.lib.format import write_array_header_1_0
from numpy.typing import NDArray

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import WorldError
from outrider.core.files.atomic_file import beside, remove_leftovers
from outrider.world.block_tops import no_tops, raise_tops
from outrider.world.shapes import MappedField

STRIP = 256  # rows that are made at a time: a multiple of BLOCK

Strip = Callable[[int, int], NDArray[np.float32]]  # rows first to last -> heights


def mapped_field(
    key: str, shape: tuple[int, int], size: tuple[float, float], strip: Strip
) -> MappedField:
    """Return the field under a key, made strip by strip if it is not on disk yet."""
    folder = cache_dir() / "grounds" / key
    if not (folder / "facts.json").is_file():
        _make(folder, shape, strip)
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    heights = np.load(folder / "heights.npy", mmap_mode="r")
    tops = [np.load(folder / "tops.npy")]
    while max(tops[-1].shape) > 1:
        tops.append(_halved(tops[-1]))
    return MappedField(heights, size, float(facts["low"]), tuple(tops))


def _make(folder: Path, shape: tuple[int, int], strip: Strip) -> None:
    """Write beside the target and rename, so that a reader never sees half a ground."""
    made = beside(folder)
    try:
        made.mkdir(parents=True)
        remove_leftovers(folder.parent)
        _write(made, shape, strip)
        os.rename(made, folder)  # noqa: PTH104 - refuses if another process was faster
    except OSError as error:
        if not folder.is_dir():
            raise WorldError(f"{folder}: cannot be written: {error.strerror or error}") from None
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _write(folder: Path, shape: tuple[int, int], strip: Strip) -> None:
    tops = no_tops(shape)
    low = np.inf
    # written, not mapped: on a full disk a mapped file ends the process, a written one says why
    with (folder / "heights.npy").open("wb") as file:
        facts = {"descr": "<f4", "fortran_order": False, "shape": shape}
        write_array_header_1_0(file, facts)
        for first in range(0, shape[0], STRIP):
            last = min(first + STRIP, shape[0])
            rows = strip(first, last)
            if not np.isfinite(rows).all():
                raise WorldError("the ground has heights that are not finite")
            file.write(np.ascontiguousarray(rows, "<f4").tobytes())
            low = min(low, float(rows.min()))
            raise_tops(tops, rows, first)
    np.save(folder / "tops.npy", tops)
    (folder / "facts.json").write_text(json.dumps({"low": low}), encoding="utf-8")


def _halved(tops: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the highest points of blocks twice as wide."""
    padded = np.pad(tops, [(0, n % 2) for n in tops.shape], constant_values=-np.inf)
    pairs = padded.reshape(padded.shape[0] // 2, 2, padded.shape[1] // 2, 2)
    highest: NDArray[np.float32] = pairs.max(axis=(1, 3))
    return highest
