"""The functions that ``import outrider`` offers besides the classes."""

import math
import warnings
from pathlib import Path

from outrider.core.arguments import names_argument, number_argument, text_argument
from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import read_yaml
from outrider.core.frames import Pose
from outrider.loader.library import in_library, load_world_spec
from outrider.loader.world import build_world
from outrider.scenarios.build import build, world_spec
from outrider.scenarios.code_trust import trust_scenario
from outrider.scenarios.kinds import kind_of
from outrider.scenarios.opening import find_scenario
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.session.session import Session
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.file_kinds import is_kind
from outrider.vehicles.robot import Robot, load_robot
from outrider.world.model import World

_STATE = ".state"


def open_(
    what: str | Path = "demo", *overrides: str, robot: str | None = None, trust: bool = False
) -> Simulation:
    """Return the simulation of anything that ``outrider run`` takes, before its first step.

    A name of the library or a file: scenario, project, world, robot, model of another program,
    mesh, height map; or a saved state (``.state``), which continues from there. Components in
    files that come with it are code: they run if you ``trust`` them.
    """
    _check_name(what, "open")
    if Path(what).suffix == _STATE:
        return Session.of_file(what, trust=trust).simulation
    return build(scenario(what, *overrides, robot=robot, trust=trust))


def scenario(
    what: str | Path, *overrides: str, robot: str | None = None, trust: bool = False
) -> Scenario:
    """Return the scenario of a name or file; overrides are ``dotted.path=value``.

    A world gets a robot, and a robot the empty world, as for ``outrider run``. ``trust`` lets the
    components in its files run.
    """
    _check_name(what, "scenario")
    if robot is not None:
        _check_name(robot, "robot")
    settings = names_argument(overrides, "scenario: overrides")
    found = find_scenario(str(what), robot, settings)
    if trust:
        trust_scenario(found)
    return found


def load_world(what: str | Path) -> World:
    """Return the world of a name or file: Outrider's own, or another program's."""
    _check_name(what, "load_world")
    if in_library("worlds", str(what)) or _is_world_file(Path(what)):
        return build_world(load_world_spec(what))
    return build_world(world_spec(find_scenario(str(what))))


def _check_name(what: object, wanted_by: str) -> None:
    if not isinstance(what, str | Path):
        raise ConfigError(
            f"{wanted_by}: expected a name or a file, got {type(what).__name__}; "
            "o.Simulation(world, robots=[...]) takes what is loaded"
        )


def _is_world_file(path: Path) -> bool:
    if not is_kind(path, "own"):
        return False
    return not path.is_file() or kind_of(read_yaml(path), str(path)) == "world"


def robot(
    model: str | Path | Robot,
    name: str | None = None,
    x: float | None = None,
    y: float | None = None,
    yaw_deg: float | None = None,
    z: float | None = None,
    namespace: str | None = None,
) -> Participant:
    """Return a robot for a simulation; without ``z`` it is placed on the ground.

    Without any pose it is placed at the world's start. Without a name it has its model's; several
    of one model are numbered.
    """
    if name is not None:
        text_argument(name, "robot: name", "a name")
    made = model if isinstance(model, Robot) else load_robot(model)
    pose = None
    if any(value is not None for value in (x, y, yaw_deg, z)):
        given = {"x": x, "y": y, "z": z, "yaw_deg": yaw_deg}
        place = {
            key: 0.0 if value is None else number_argument(value, f"robot: {key}")
            for key, value in given.items()
        }
        heading = math.radians(place["yaw_deg"])
        pose = Pose.from_rpy([place["x"], place["y"], place["z"]], [0.0, 0.0, heading])
    return Participant(made, name or "", pose, z is None, namespace)


def load(name_or_path: str | Path) -> World:
    """Return a world; the old name of ``load_world``."""
    warnings.warn("outrider.load is now outrider.load_world", DeprecationWarning, stacklevel=2)
    return load_world(name_or_path)
