"""outrider new: a package of your own, with its test."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outrider.core.errors import ConfigError


class PackageKind(StrEnum):
    """What a package can bring."""

    component = "component"
    sensor = "sensor"
    robot = "robot"
    bridge = "bridge"


Into = Annotated[Path, typer.Option("--into", metavar="DIR", help="Folder to create it in.")]


def new(
    kind: Annotated[PackageKind, typer.Argument(metavar="KIND", help=f"{', '.join(PackageKind)}.")],
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="Name of the package, e.g. wind-vane.")
    ],
    into: Into = Path(),
) -> None:
    """Create a package with a component, sensor, robot or bridge of your own, and its test."""
    from outrider.loader.starter import check_package_name, write_starter

    _refuse_taken(kind, check_package_name(name))
    folder = into / name
    files = write_starter(kind.value, name, folder)
    typer.echo(f"created {folder}: {len(files)} files")
    typer.echo(f"next: pip install -e {folder} && python -m pytest {folder}")


def _refuse_taken(kind: PackageKind, name: str) -> None:
    """Refuse a name that something of the same kind has: it would never be found."""
    from outrider.bridges.bridge import BRIDGES
    from outrider.components.catalogue import COMPONENTS
    from outrider.loader.library import library_names
    from outrider.sensors.catalogue import SENSORS

    taken = {
        PackageKind.component: list(COMPONENTS),
        PackageKind.sensor: [*SENSORS, *library_names("sensors")],
        PackageKind.robot: library_names("robots"),
        PackageKind.bridge: list(BRIDGES),
    }
    if name in taken[kind]:
        raise ConfigError(f"there is a {kind} '{name}' already; choose another name")
