"""outrider autonomy: run the default autonomy stack on a recording, simulated or real."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from outrider.cli.options.shared import Bridges, Json
from outrider.cli.output.table import print_facts, print_json
from outrider.core.errors import AutonomyError
from outrider.core.structure import Data

if TYPE_CHECKING:
    from outrider.autonomy.recordings.replay import StackReplay
    from outrider.autonomy.recordings.source import RecordingSource
    from outrider.autonomy.spec import AutonomySpec

_KINDS = "lidar-inertial, lidar, stereo or wheel-imu"


def autonomy(
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="A bag, MCAP file or KITTI folder."),
    ] = None,
    odometry: Annotated[str | None, typer.Option(metavar="NAME", help=f"{_KINDS}.")] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help="YAML: a scenario's 'autonomy' section.")
    ] = None,
    topic: Annotated[
        list[str] | None, typer.Option(metavar="PORT=TOPIC", help="E.g. points=/scan. Repeatable.")
    ] = None,
    truth: Annotated[
        str, typer.Option(metavar="TOPIC", help="Topic with the true poses.")
    ] = "/ground_truth/state",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Folder for poses, map and plots.")
    ] = None,
    bridge: Bridges = None,
    as_json: Json = False,
) -> None:
    """Run odometry, SLAM and mapping on a recording, or the whole stack as a node on a bridge."""
    if (source is None) == (not bridge):
        raise AutonomyError("give --from FILE for a recording, or --bridge ros1 to run as a node")
    if source is None:
        _serve(_spec(odometry, config, topic or [], {}, drives=True), bridge or [])
        return
    _replay(source, _Options(odometry, config, topic or [], truth, out, as_json))


class _Options(NamedTuple):
    """What was asked for on the command line."""

    odometry: str | None
    config: Path | None
    topics: list[str]
    truth: str
    out: Path | None
    as_json: bool


def _replay(source: Path, asked: _Options) -> None:
    from dataclasses import replace

    from outrider.autonomy.assemble import assemble_stack
    from outrider.autonomy.odometry.spec import VisualSpec
    from outrider.autonomy.recordings.replay import replay_stack
    from outrider.core.files.atomic_file import check_writable

    if asked.out is not None:
        check_writable(asked.out / "trajectory.tum")
    opened = _open(source)
    spec = _spec(asked.odometry, asked.config, asked.topics, _defaults(opened))
    optional = ["wheels", "tf_static"]
    if isinstance(spec.odometry, VisualSpec) and _no_imu(spec, opened):
        spec = replace(spec, odometry=replace(spec.odometry, inertial=False))
        optional.append("imu")
    stack = assemble_stack(spec)
    try:
        found = replay_stack(opened, stack, asked.truth, optional)
    finally:
        opened.close()
    if asked.out is not None:
        _write(asked.out, found)
    figures = _figures(source, found)
    if asked.as_json:
        print_json(figures)
    else:
        print_facts(figures)
        if asked.out is not None:
            typer.echo(f"wrote {asked.out}")
    if not found.poses:
        first = stack.placed[0].component
        typer.echo(f"outrider: there is no pose: {first.name}: {first.health.reason}", err=True)
        raise typer.Exit(1)


def _serve(spec: "AutonomySpec", bridges: list[str]) -> None:
    """Run as a node beside the robot's, until stopped."""
    from outrider.autonomy.assemble import assemble_stack
    from outrider.autonomy.node import StackNode
    from outrider.bridges.bridge import Outside
    from outrider.cli.run import stopped_by_signals
    from outrider.scenarios.bridging import bridged

    node = StackNode(assemble_stack(spec))
    outside = Outside(node.bus, {}, lambda: node.now_ns, list, "autonomy")
    with bridged([_as_node(text) for text in bridges], lambda: outside):
        typer.echo("outrider: the stack is running; Ctrl-C ends it", err=True)
        with stopped_by_signals(node.stop):
            node.run()


def _as_node(text: str) -> str:
    """Return a bridge's text for a node that is no simulator: with a name of its own, no clock."""
    kind, _, options = text.partition(":")
    if kind != "ros1":
        return text
    given = [option for option in options.split(",") if option]
    named = {option.partition("=")[0] for option in given}
    ours = {"node": "outrider_autonomy", "gazebo": "false", "sim_time": "false"}
    added = [f"{key}={value}" for key, value in ours.items() if key not in named]
    return f"ros1:{','.join([*given, *added])}"


def _open(path: Path) -> "RecordingSource":
    """Open a recording of ours, a bag or a KITTI folder."""
    from outrider.autonomy.recordings.entries import Entries
    from outrider.autonomy.recordings.kitti import Kitti
    from outrider.recording.source import open_source

    return Kitti(path) if path.is_dir() and Kitti.fits(path) else Entries(open_source(path))


def _no_imu(spec: "AutonomySpec", opened: "RecordingSource") -> bool:
    """Return whether a recording has no IMU: a camera alone must do then."""
    from outrider.autonomy.topics import topics

    return topics("", spec.topics)["imu"] not in opened.topics


def _defaults(opened: object) -> dict[str, str]:
    """Return the topics of a kind of recording that has its own names."""
    from outrider.autonomy.recordings.kitti import PORTS, Kitti

    return PORTS if isinstance(opened, Kitti) else {}


def _spec(
    odometry: str | None,
    config: Path | None,
    changed: list[str],
    defaults: dict[str, str],
    *,
    drives: bool = False,
) -> "AutonomySpec":
    from dataclasses import replace

    from outrider.autonomy.odometry.spec import VisualSpec
    from outrider.autonomy.spec import AutonomySpec
    from outrider.autonomy.stereo.spec import DepthSpec
    from outrider.core.files.yaml_file import read_yaml
    from outrider.core.structure import from_data
    from outrider.specs.references import rooted

    data: Data = {}
    if config is not None:
        data = rooted({"autonomy": read_yaml(config)}, "scenario", config.parent)["autonomy"]
    if odometry is not None:
        data["odometry"] = {"type": odometry}
    spec = from_data(AutonomySpec, data, str(config or "--odometry"))
    names = dict(_pair(text) for text in changed)
    stereo = spec.stereo
    if isinstance(spec.odometry, VisualSpec) and stereo is None:
        stereo = DepthSpec()
    spec = replace(spec, stereo=stereo, topics={**defaults, **spec.topics, **names})
    return spec if drives else replace(spec, navigation=None, waypoints=None)


def _pair(text: str) -> tuple[str, str]:
    port, equals, name = text.partition("=")
    if not (equals and port and name):
        raise AutonomyError(f"--topic expects PORT=TOPIC, got '{text}'")
    return port, name


def _figures(source: Path, found: "StackReplay") -> Data:
    from outrider.scenarios.localization import localization_errors

    lost = [item for item in found.health if item[2] in ("poor", "lost")]
    return {
        "recording": str(source),
        "messages": found.messages,
        "poses": len(found.poses),
        "length_m": round(found.length_m, 3),
        "trouble": [f"{t / 1e9:.1f} s: {who} {level}: {why}" for t, who, level, why in lost],
        "localization": localization_errors(found.poses, found.truth),
    }


def _write(out: Path, found: "StackReplay") -> None:
    from outrider.autonomy.mapping.map_files import save_map
    from outrider.autonomy.plots import draw_error, draw_way
    from outrider.evaluation.measures.trajectory import Trajectory, write_tum

    out.mkdir(parents=True, exist_ok=True)
    write_tum(out / "trajectory.tum", Trajectory.of(found.poses))
    if found.grid is not None:
        save_map(out / "map", found.grid)
    if found.poses:
        draw_way(out / "way.png", found.poses, found.truth, found.grid)
    if found.poses and len(found.truth) > 1:
        draw_error(out / "error.png", found.poses, found.truth)
