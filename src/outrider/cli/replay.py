"""outrider replay: play a recording onto the bus, and from there to any bridge."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outrider.cli.options.recording import (
    Lossless,
    Overwrite,
    RecordFile,
    RecordFormat,
    recording_options,
    split_topics,
)
from outrider.cli.options.shared import Bridges, Json
from outrider.cli.output.table import print_json, print_table
from outrider.cli.run import stopped_by_signals
from outrider.core.clock import to_s

if TYPE_CHECKING:
    from outrider.recording.recorder import Recorder, RecordingOptions
    from outrider.recording.replay import Replay


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recording: MCAP or a ROS bag.")],
    speed: Annotated[float, typer.Option(help="1: as recorded; 0: as fast as possible.")] = 1.0,
    start: Annotated[
        float, typer.Option("--start", "--seek", help="Seconds after its first message.")
    ] = 0.0,
    end: Annotated[float | None, typer.Option(help="Seconds after its first message.")] = None,
    loop: Annotated[bool, typer.Option("--loop", help="Start again at the end.")] = False,
    paused: Annotated[
        bool, typer.Option("--paused", help="Start paused; wait for 'outrider call resume'.")
    ] = False,
    topics: Annotated[
        list[str] | None,
        typer.Option("--topics", metavar="PATTERN[@HZ],...", help="Topics to replay."),
    ] = None,
    bridge: Bridges = None,
    record: RecordFile = None,
    format_: RecordFormat = "",
    overwrite: Overwrite = False,
    lossless: Lossless = None,
    info: Annotated[bool, typer.Option("--info", help="Only show what it contains.")] = False,
    as_json: Json = False,
) -> None:
    """Replay a recording with its own stamps and order, at any speed."""
    from outrider.recording.replay import Replay, ReplayOptions

    options = ReplayOptions(
        speed=speed,
        start_s=start,
        end_s=end,
        loop=loop,
        paused=paused,
        topics=split_topics(topics),
    )
    with Replay(file, options) as player:
        for note in player.source.notes:
            typer.echo(f"{file}: {note}", err=True)
        if info:
            _tell(player, as_json)
            return
        copy = recording_options(record, None, format_, overwrite, lossless)
        _play(player, bridge or [], copy)
        if as_json:
            print_json(player.status())
        else:
            typer.echo(f"replayed {player.published} messages of {file}")


def _play(player: "Replay", bridges: list[str], copy: "RecordingOptions | None") -> None:
    from outrider.bridges.bridge import make_bridge
    from outrider.bridges.local.server import LocalServer
    from outrider.recording.recorder import Recorder
    from outrider.scenarios.replaying import outside_of_replay

    outside = outside_of_replay(player)
    with ExitStack() as opened:
        server = LocalServer(
            player.bus,
            outside.services,
            scenario=f"replay of {player.path.name}",
            now_ns=outside.now_ns,
        )
        opened.callback(server.close)
        for text in bridges:
            made = make_bridge(text, outside)
            opened.callback(made.close)
            made.start()
        if copy is not None:
            recorder = Recorder(
                player.bus,
                copy,
                now_ns=outside.now_ns,
                unpaced=lambda: player.transport.speed == 0,
            )
            opened.callback(lambda: _finish(recorder))
        opened.enter_context(stopped_by_signals(player.transport.stop))
        player.run()


def _finish(recorder: "Recorder") -> None:
    report = recorder.close()
    typer.echo(report.sentence(), err=True)
    if report.failure:
        raise typer.Exit(2)


def _tell(player: "Replay", as_json: bool) -> None:
    source = player.source
    rows = [
        {"topic": track.topic, "type": track.type, "messages": count, "latched": track.latched}
        for track, count in sorted(source.tracks.items(), key=lambda item: item[0].topic)
    ]
    length_s = to_s(source.end_ns - source.start_ns)
    if as_json:
        print_json({"start_s": to_s(source.start_ns), "duration_s": length_s, "topics": rows})
        return
    print_table(rows)
    count = sum(source.tracks.values())
    typer.echo(f"{count} messages over {length_s:.3f} s, from {to_s(source.start_ns):.3f} s on")
