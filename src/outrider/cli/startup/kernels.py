"""Reports whether the per-step kernels must be compiled first."""

import os
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import typer

_MODULE, _KERNEL = "outrider.physics.tyres.kernels", "feel"  # the largest of them


def announce_compiling() -> bool:
    """Announce that the first run takes longer, if it does; return whether it was announced."""
    cold = _cold()
    if cold:
        typer.echo("compiling kernels, once (about 40 s) ...", err=True)
    return cold


def _cold() -> bool:
    """Return whether there are no compiled kernels that this user's numba would load."""
    spec = find_spec(_MODULE)
    if spec is None or spec.origin is None:
        return False
    source = Path(spec.origin)
    folder = source.parent / "__pycache__"
    if "NUMBA_CACHE_DIR" in os.environ or not os.access(folder, os.W_OK):
        folder = Path(getattr(import_module(_MODULE), _KERNEL).stats.cache_path)
    found = folder.glob(f"{source.stem}.{_KERNEL}-*.nbi")
    return not any(path.stat().st_mtime >= source.stat().st_mtime for path in found)
