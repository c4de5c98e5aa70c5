"""Tells whether the per-step kernels must be compiled first."""

import os
from importlib.util import find_spec
from pathlib import Path

import typer

_MODULE = "outrider.physics.tyre_kernels"  # the largest of them


def announce_compiling() -> None:
    """Say that the first run takes longer, when it does."""
    if _cold():
        typer.echo("compiling kernels, once (about 10 s) ...", err=True)


def _cold() -> bool:
    spec = find_spec(_MODULE)
    if spec is None or spec.origin is None:
        return False
    source = Path(spec.origin)
    cache = os.environ.get("NUMBA_CACHE_DIR")
    folders = Path(cache).rglob(f"{source.stem}.*.nbi") if cache else _beside(source)
    return not any(found.stat().st_mtime >= source.stat().st_mtime for found in folders)


def _beside(source: Path) -> list[Path]:
    return list((source.parent / "__pycache__").glob(f"{source.stem}.*.nbi"))
