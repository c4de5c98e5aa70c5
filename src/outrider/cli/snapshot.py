"""outrider snapshot: an image of anything that can be run, from any position."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from outrider.cli.options.shared import Arguments, SearchPaths, Trust, height_size, xacro_arguments
from outrider.core.errors import ConfigError

What = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO|WORLD|FILE", help="A library name, or any file that can be run."
    ),
]
Out = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="Image file to write.")]
Camera = Annotated[
    str | None,
    typer.Option(metavar="X,Y,Z,YAW,PITCH", help="Camera position (m) and direction (degrees)."),
]
From = Annotated[str | None, typer.Option("--from", metavar="X,Y,Z", help="Camera position.")]
At = Annotated[str | None, typer.Option("--at", metavar="X,Y,Z", help="Point to look at.")]
Robot = Annotated[str | None, typer.Option(metavar="NAME", help="Robot to put at the start.")]
Size = Annotated[str, typer.Option(metavar="WxH", help="Size in pixels.")]
Fov = Annotated[float, typer.Option(metavar="DEGREES", help="Horizontal field of view.")]
Kind = Annotated[
    Literal["colour", "depth", "labels"], typer.Option("--what", help="Kind of image.")
]
After = Annotated[
    float, typer.Option("--after", metavar="SECONDS", help="Simulate this long first.")
]
Renderer = Annotated[
    str, typer.Option(metavar="NAME", help="gl, embree, or auto for the fastest that works.")
]

Extent = Annotated[
    str | None,
    typer.Option(metavar="X,Y,Z", help="Size of a height image in metres ('run' calls it --size)."),
]


def snapshot(
    of: What,
    out: Out,
    camera: Camera = None,
    from_: From = None,
    at: At = None,
    robot: Robot = None,
    size: Size = "1280x720",
    fov: Fov = 70.0,
    what: Kind = "colour",
    after: After = 0.0,
    renderer: Renderer = "auto",
    arg: Arguments = None,
    path: SearchPaths = None,
    extent: Extent = None,
    trust: Trust = False,
) -> None:
    """Render an image of anything that can be run: colour, depth or labels."""
    from outrider.scenarios.code_trust import trust_scenario
    from outrider.scenarios.opening import Foreign, find_scenario
    from outrider.scenarios.picture import snapshot as take

    foreign = Foreign(xacro_arguments(arg), tuple(path or ()), height_size(extent, "--extent"))
    if trust:
        trust_scenario(find_scenario(of, robot, (), foreign))

    if camera is not None and (from_ or at):
        raise ConfigError("--camera cannot be combined with --from and --at")
    eye, yaw, pitch = _point(from_, "--from"), None, 0.0
    if camera is not None:
        x, y, z, yaw, pitch = _numbers(camera, 5, "--camera")
        eye = (x, y, z)
    picture = take(
        of,
        out,
        eye=eye,
        at=_point(at, "--at"),
        yaw_deg=yaw,
        pitch_deg=pitch,
        size=_size(size),
        fov_deg=fov,
        what=what,
        robot=robot,
        after_s=after,
        renderer=renderer,
        foreign=foreign,
    )
    if picture.labels is not None:
        for number in sorted(set(picture.labels.ravel().tolist())):
            typer.echo(f"{number:4d}  {picture.names[number]}")
    typer.echo(f"wrote {out}")


def _numbers(text: str, count: int, option: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(abs(v) < 1e9 for v in numbers):
        raise ConfigError(f"{option}: expected {count} numbers separated by commas, got '{text}'")
    return numbers


def _point(text: str | None, option: str) -> tuple[float, float, float] | None:
    if text is None:
        return None
    x, y, z = _numbers(text, 3, option)
    return x, y, z


def _size(text: str) -> tuple[int, int]:
    width, mark, height = text.lower().partition("x")
    if not (mark and width.isdigit() and height.isdigit()):
        raise ConfigError(f"--size: expected pixels like 1280x720, got '{text}'")
    return int(width), int(height)
