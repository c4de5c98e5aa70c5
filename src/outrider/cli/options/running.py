"""Options of ``outrider run`` alone: what to run, how fast, and the editor."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

What: TypeAlias = Annotated[
    str | None,
    typer.Argument(
        metavar="SCENARIO|WORLD|FILE",
        help="A library name, or any file that can be run; default: the demo.",
    ),
]
RobotName: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NAME", help="Robot to drive: a library name or a file.")
]
Headless: TypeAlias = Annotated[bool, typer.Option("--headless", help="Run without the editor.")]
Ui: TypeAlias = Annotated[
    bool | None,
    typer.Option("--ui/--no-ui", help="Open the editor; default unless --json or --speed 0."),
]
Speed: TypeAlias = Annotated[
    float | None, typer.Option(metavar="X", help="1: real time; 0: as fast as possible.")
]
Duration: TypeAlias = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="Stop after this much simulated time.")
]
Engine: TypeAlias = Annotated[
    str | None, typer.Option(metavar="NAME", help="Physics: mujoco, bullet or kinematic.")
]
StepLength: TypeAlias = Annotated[
    float | None, typer.Option(metavar="SECONDS", help="Length of a physics step.")
]
StateFile: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Resume from a file saved by 'outrider call save_state'."),
]
Host: TypeAlias = Annotated[
    str, typer.Option(help="Address for the editor; others than this computer need a token.")
]
Port: TypeAlias = Annotated[
    int, typer.Option(min=0, max=65535, help="Port for the editor; 0 picks a free one.")
]
ReadOnly: TypeAlias = Annotated[
    bool, typer.Option("--read-only", help="Visitors can watch but not change anything.")
]
AllowCode: TypeAlias = Annotated[
    bool,
    typer.Option("--allow-code", help="Let visitors from other computers run code in the editor."),
]
Projects: TypeAlias = Annotated[
    Path, typer.Option(help="Folder where the editor keeps its projects.")
]
UserCode: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Python file with setup(robot) and loop(robot)."),
]
Controller: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Python file that simulates a microcontroller on a serial port."
    ),
]
Profile: TypeAlias = Annotated[
    bool, typer.Option("--profile", help="Print the time taken by each part of a step.")
]
