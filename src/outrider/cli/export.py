"""outrider export: write a robot or world as a file for other programs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from outrider.cli.options.shared import Trust
from outrider.core.errors import ConfigError, near_match
from outrider.specs.file_kinds import is_kind

if TYPE_CHECKING:
    from outrider.world.model import Model, World

What = Annotated[
    str,
    typer.Argument(
        metavar="MODEL|WORLD|PACKAGE",
        help="A robot or world: library name or file; or autominy_msgs, outrider_msgs.",
    ),
]
To = Annotated[
    Path,
    typer.Option(
        "--to",
        metavar="FILE",
        help="File to write: .urdf, .sdf, .xml (MJCF) or .glb; for messages, a new folder.",
    ),
]
Heights = Annotated[
    Literal["auto", "mesh", "image"],
    typer.Option(help="Height fields in SDF: as exact meshes or as small 16-bit images."),
]
RawMeshes = Annotated[
    bool,
    typer.Option("--raw-meshes", help="MJCF: keep colliders as they are instead of convex parts."),
]


def export(
    what: What,
    to: To,
    heights: Heights = "auto",
    raw_meshes: RawMeshes = False,
    trust: Trust = False,
) -> None:
    """Write a robot or world as URDF, SDF, MJCF or GLB, or messages as a package for ROS 1."""
    from outrider.messages.catkin_package import message_packages, write_message_package

    if what in message_packages():
        write_message_package(what, to)
        typer.echo(f"wrote {to}")
        return
    from outrider.formats.export_file import WRITERS, ExportOptions, export_file
    from outrider.physics.colliders.shapes import convex
    from outrider.scenarios.code_trust import trust_scenario
    from outrider.scenarios.opening import find_scenario

    if to.suffix.lower() not in WRITERS:
        raise ConfigError(f"--to: expected a name that ends in {', '.join(WRITERS)}, got '{to}'")
    if trust:
        trust_scenario(find_scenario(what))
    pieces = None if raw_meshes else lambda geometry, static: convex(geometry, static=static).pieces
    done = export_file(load_thing(what), to, ExportOptions(heights, pieces))
    typer.echo(f"wrote {done.path}")
    for sentence in done.lost:
        typer.echo(f"not in it: {sentence}", err=True)


def load_thing(what: str) -> "World | Model":
    """Return the robot's model or the world of a library name or file."""
    from outrider.loader.library import library_names, library_path

    if Path(what).suffix or "/" in what or "\\" in what:
        return _of_file(Path(what))
    for kind in ("robots", "worlds", "scenarios"):
        if what in library_names(kind):
            return _of_file(library_path(kind, what))
    known = [*library_names("robots"), *library_names("worlds")]
    raise ConfigError(
        f"there is no robot or world '{what}'{near_match(what, known)}; known: {', '.join(known)}"
    )


def _of_file(path: Path) -> "World | Model":
    if not path.is_file():
        raise ConfigError(f"{path}: there is no such file")
    if is_kind(path, "own"):
        return _of_yaml(path)
    if path.suffix.lower() == ".urdf":
        from outrider.formats.urdf.read import read_urdf

        return read_urdf(path, repair=True)
    from outrider.formats.import_file import import_file, whole_world

    found = import_file(path)
    return whole_world(found) if found.world is not None else found.models[0]


def _of_yaml(path: Path) -> "World | Model":
    """Return a robot as in its URDF (with all colliders), or a complete world."""
    from outrider.core.files.yaml_file import read_yaml
    from outrider.scenarios.kinds import kind_of

    data = read_yaml(path)
    kind = kind_of(data, str(path))
    if kind == "robot":
        return _of_file(path.parent / str(data.get("urdf", "")))
    if kind == "model":
        from outrider.loader.model import load_model

        return load_model(path)
    if kind == "world":
        from outrider.loader.library import load_world_spec
        from outrider.loader.world import build_world

        return build_world(load_world_spec(str(path.resolve())))
    from outrider.scenarios.build import build
    from outrider.scenarios.opening import find_scenario

    return build(find_scenario(str(path))).rig.assembly.world
