"""Reports whether the per-step kernels must be compiled first."""

import os
from importlib.util import find_spec
from pathlib import Path

import typer

_MODULE = "outrider.physics.tyres.kernels"  # the largest of them


def announce_compiling() -> bool:
    """Announce that the first run takes longer, if it does; return whether it was announced."""
    cold = _cold()
    if cold:
        typer.echo("compiling kernels, once (about 40 s) ...", err=True)
    return cold


def _cold() -> bool:
    spec = find_spec(_MODULE)
    if spec is None or spec.origin is None:
        return False
    source = Path(spec.origin)
    cache = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(cache) if cache else source.parent / "__pycache__"
    found = folder.rglob(f"{source.stem}.*.nbi")
    return not any(path.stat().st_mtime >= source.stat().st_mtime for path in found)
