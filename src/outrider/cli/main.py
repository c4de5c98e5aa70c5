"""Entry point of the command line: registers the commands and handles errors."""

import os
import sys
from typing import Annotated, Any

import typer

from outrider.cli import (
    autonomy,
    bench,
    check,
    doctor,
    export,
    falsify,
    new,
    project,
    replay,
    run,
    scenario,
    score,
    snapshot,
    sweep,
    udp_bridge,
    validate,
)
from outrider.cli import import_ as import_command
from outrider.cli import list as list_
from outrider.cli.live import call, echo, hz, pub, record, teleop, topics
from outrider.cli.output.harmless_text import harmless_streams
from outrider.cli.output.help_text import plain_help
from outrider.cli.startup.empty_values import refuse_empty_values
from outrider.cli.startup.plain_values import take_plain_values
from outrider.cli.startup.quick_start import no_windows
from outrider.core.errors import OutriderError

# the base of typer's own complaints about a command line; where it lives depends on the version
_UsageError: type[Exception] = typer.BadParameter.__mro__[2]
_INTERRUPTED = 130  # the exit code after Ctrl-C
_UNREAD = 141  # after SIGPIPE, as shells count: an output cut short is no success of a run

app = typer.Typer(
    name="outrider",
    help="A simulator and test bench for unmanned ground vehicles.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("run")(run.run)
app.add_typer(scenario.app, name="scenario")
app.command("sweep")(sweep.sweep)
app.command("falsify")(falsify.falsify)
app.add_typer(project.app, name="project")
app.command("new")(new.new)
app.command("list")(list_.list_)
app.command("check")(check.check)
app.command("doctor")(doctor.doctor)
app.command("bench")(bench.bench)
app.add_typer(validate.app, name="validate")
app.command("score")(score.score)
app.command("autonomy")(autonomy.autonomy)
app.command("export")(export.export)
app.command("import")(import_command.import_)
app.command("snapshot")(snapshot.snapshot)
app.command("record")(record.record)
app.command("replay")(replay.replay)
app.command("udp-bridge")(udp_bridge.udp_bridge)
app.command("topics")(topics.topics)
app.command("echo")(echo.echo)
app.command("hz")(hz.hz)
app.command("pub")(pub.pub)
app.command("call")(call.call)
app.command("teleop")(teleop.teleop)


@app.callback(invoke_without_command=True)
def _start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        from outrider import __version__

        typer.echo(__version__)
    elif context.invoked_subcommand is None:
        typer.echo(context.get_help())
    elif context.invoked_subcommand != "run":  # which starts its user's programs: see starting()
        context.with_resource(no_windows())


def main() -> None:
    """Run the command line: bad input gives one sentence and exit code 2, never a traceback."""
    try:
        with harmless_streams():
            code = _run()
    except BrokenPipeError:  # who read our output has seen enough
        code = _UNREAD
        _discard_output()
    sys.exit(code if isinstance(code, int) else 0)


def _run() -> object:
    try:
        command = take_plain_values(plain_help(typer.main.get_command(app)))
        code: object = refuse_empty_values(command)(standalone_mode=False)
    except OutriderError as error:
        code = _complain(str(error))
    except _UsageError as error:
        code = _complain(_said(error))
    except (KeyboardInterrupt, typer.Abort):
        code = _INTERRUPTED
    except SystemExit as ending:
        if isinstance(ending.__context__, BrokenPipeError):  # typer takes it for a failure
            raise ending.__context__ from None
        raise
    except BrokenPipeError:
        raise
    except OSError as error:  # a disk that is full or may not be written
        code = _complain(f"{error.filename or 'a file'}: {error.strerror or error}")
    if code == _INTERRUPTED:  # typer's own as well; commands that know more leave by SystemExit
        typer.echo("outrider: interrupted", err=True)
    return code


def _said(error: Any) -> str:
    """Return what is wrong with a command line; a group without a command lists its own."""
    said: str = error.format_message().replace("Value error, ", "")
    commands = getattr(getattr(error.ctx, "command", None), "commands", {})
    missing = said == "Missing command." and bool(commands)
    return f"Missing command: one of {', '.join(commands)}" if missing else said


def _complain(text: str) -> int:
    typer.echo(f"outrider: {' '.join(text.split())}", err=True)
    return 2


def _discard_output() -> None:
    """Leave nothing that Python would still write, and complain about, at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is not None:
            os.dup2(nowhere, stream.fileno())
