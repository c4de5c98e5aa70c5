"""Kernels that must be compiled first: said, and done before the time of a live run begins."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import FormatError
from outrider.core.files.atomic_file import write_whole

if TYPE_CHECKING:
    from outrider.sim.simulation import Simulation

_MODULE, _KERNEL = "outrider.physics.tyres.kernels", "feel"  # the largest of them
_EVERY_KERNEL_S = 0.5  # of simulated time, in which all of them are used


def announce_compiling() -> bool:
    """Announce that the first run takes longer, if it does; return whether it was announced."""
    cold = _cold()
    if cold:
        typer.echo("compiling kernels, once (about 40 s) ...", err=True)
    return cold


def compile_first_uses(simulation: "Simulation", *, cold: bool) -> None:
    """Compile what this user's runs have not needed yet, by running it for nobody.

    Kernels of a sensor are needed once somebody hears it: the clock of a live run would stand
    still for seconds then. Components are the user's own code: they do not run for nobody.
    """
    known = frozenset[str]() if cold else _known()
    models = {f"{m.plan.sensor_type}/{m.plan.entry.model}" for m in simulation.mounted}
    uses = {type(simulation.rig.engine).__name__, *models}
    if not cold and (uses <= known or simulation.components):
        return
    with ExitStack() as heard, _announced(silent=cold):
        for channel in (c for sensor in simulation.sensors for c, _ in sensor.outputs):
            heard.enter_context(closing(simulation.bus.subscribe(channel.name)))
        simulation.run(_EVERY_KERNEL_S)
        simulation.reset()
    with suppress(FormatError):  # a cache that cannot be written: they are compiled again anyway
        write_whole(_notes(), "\n".join([_stamp(), *sorted(known | uses)]).encode())


def _notes() -> Path:
    """Return the file that says what has been used since the kernels last changed."""
    return cache_dir() / "compiled.txt"


def _known() -> frozenset[str]:
    try:
        stamp, *uses = _notes().read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return frozenset()
    return frozenset(uses) if stamp == _stamp() else frozenset()


@cache
def _stamp() -> str:
    """Return what changes when kernels are compiled anew: numba and their files."""
    from importlib.metadata import version

    return f"numba {version('numba')}, kernels {_source().stat().st_mtime_ns}"


@contextmanager
def _announced(*, silent: bool) -> Iterator[None]:
    """Announce the first kernel that is compiled meanwhile."""
    from numba.core import event

    class Announcer(event.Listener):  # type: ignore[misc]
        said = silent

        def on_start(self, _event: Any) -> None:
            if not self.said:
                typer.echo("compiling kernels of new sensors, once (some seconds) ...", err=True)
                self.said = True

        def on_end(self, _event: Any) -> None:
            """Nothing is said of it."""

    with event.install_listener("numba:compile", Announcer()):
        yield


def _source() -> Path:
    spec = find_spec(_MODULE)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin)


def _cold() -> bool:
    """Return whether there are no compiled kernels that this user's numba would load."""
    source = _source()
    folder = source.parent / "__pycache__"
    if "NUMBA_CACHE_DIR" in os.environ or not os.access(folder, os.W_OK):
        folder = Path(getattr(import_module(_MODULE), _KERNEL).stats.cache_path)
    found = folder.glob(f"{source.stem}.{_KERNEL}-*.nbi")
    return not any(path.stat().st_mtime >= source.stat().st_mtime for path in found)
