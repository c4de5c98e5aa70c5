"""The bridges of a run: opened before its first step, closed after its last."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from outrider.bridges.bridge import Bridge, Outside, RobotDescription, make_bridge, read_bridge
from outrider.bridges.policy import Policy
from outrider.core.errors import ConfigError
from outrider.core.files.package_files import is_file
from outrider.formats.asset_paths import AssetPaths
from outrider.formats.urdf.colours import is_painted, with_colours
from outrider.loader.library import find_file
from outrider.messages.topics import fill
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session.session import Session
from outrider.sim.runner import Runner
from outrider.vehicles.robot import Robot

_FILE = re.compile(r"""(<(?:mesh|texture)\b[^<>]*?\bfilename\s*=\s*["'])([^"':]+)(["'])""")


def chosen_bridges(scenario: Scenario, typed: Sequence[str] = ()) -> list[str]:
    """Return the bridges of a run, checked before anything is built.

    A file names kinds and harmless options; what the user typed takes the place of the file's
    bridge of the same kind.
    """
    kinds = {_kind(text) for text in typed}
    named = [(n, text) for n, text in enumerate(scenario.bridges) if _kind(text) not in kinds]
    for number, text in named:
        try:
            read_bridge(text, of_file=True)
        except ConfigError as error:
            raise ConfigError(f"{scenario.name}: bridges.{number}: {error}") from None
    for text in typed:
        read_bridge(text)
    return [text for _, text in named] + list(typed)


def _kind(text: str) -> str:
    return text.partition(":")[0].strip()


@contextmanager
def bridged(texts: Sequence[str], outside: Callable[[], Outside]) -> Iterator[list[Bridge]]:
    """Open bridges for a while."""
    with ExitStack() as opened:
        bridges = []
        seen = outside() if texts else None
        for text in texts:
            assert seen is not None
            bridge = make_bridge(text, seen)
            opened.callback(bridge.close)
            bridge.start()
            bridges.append(bridge)
        yield bridges


def outside_of(session: Session, runner: Runner, policy: Policy | None = None) -> Outside:
    """Return what bridges see of a session."""
    return Outside(
        session.bus,
        runner.services(of_clients=True),
        lambda: session.simulation.time_ns,
        descriptions(session),
        session.scenario.name,
        policy=policy or Policy(),
        world=lambda: session.simulation.rig.assembly.world,
    )


def descriptions(session: Session) -> Callable[[], list[RobotDescription]]:
    """Return what tells the robots that take part now."""

    def robots() -> list[RobotDescription]:
        simulation, entries = session.simulation, session.scenario.robots
        found = {vehicle.name: vehicle.robot for vehicle in simulation.rig.vehicles}
        return [
            _description(entry, number, found[entry.name])
            for number, entry in enumerate(entries)
            if entry.name in found
        ]

    return robots


def _description(entry: RobotEntry, number: int, robot: Robot) -> RobotDescription:
    template = (entry.namespace or "").strip("/")
    space = fill(template, robot_id=number, name=entry.name, type_=robot.spec.name)
    folder = find_file("robots", entry.model).resolve().parent
    paths = AssetPaths(folder, tuple(map(Path, entry.search)))
    urdf, files = with_addresses(with_colours(robot.urdf, paths), paths)
    return RobotDescription(entry.name, space, f"{space}/" if space else "", urdf, files)


def with_addresses(urdf: str, paths: AssetPaths) -> tuple[str, frozenset[str]]:
    """Return a description that names its files by whole addresses, and these addresses.

    Others look from elsewhere. What a model may not read itself is not shown to them either.
    """
    found: set[str] = set()

    def address(match: re.Match[str]) -> str:
        file = (paths.base / match[2]).resolve()
        if paths.sealed or not is_file(file) or not (paths.within(file) or is_painted(file)):
            return match[0]
        found.add(file.as_uri())
        return f"{match[1]}{file.as_uri()}{match[3]}"

    return _FILE.sub(address, urdf), frozenset(found)
