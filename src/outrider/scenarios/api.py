"""The few functions that ``import outrider`` offers beside the classes."""

import math
from collections.abc import Iterable
from pathlib import Path

from outrider.core.frames import Pose
from outrider.loader.library import load_world_spec
from outrider.loader.world import build_world
from outrider.scenarios.load import load as load_scenario
from outrider.scenarios.scenario import Scenario
from outrider.sim.rig import Participant
from outrider.vehicles.robot import Robot, load_robot
from outrider.world.model import World


def load(name_or_path: str | Path) -> World:
    """Return a world of the library or of a file."""
    return build_world(load_world_spec(name_or_path))


def scenario(name_or_path: str | Path, *overrides: str) -> Scenario:
    """Return a scenario of the library or of a file; overrides are ``dotted.path=value``."""
    settings: Iterable[str] = overrides
    return load_scenario(name_or_path, settings)


def robot(
    model: str | Path | Robot,
    name: str | None = None,
    x: float | None = None,
    y: float | None = None,
    yaw_deg: float | None = None,
    z: float | None = None,
    namespace: str | None = None,
) -> Participant:
    """Return a robot to take part in a simulation; without ``z`` it is put on the ground.

    Without any place it stands where the world says that robots start.
    """
    made = model if isinstance(model, Robot) else load_robot(model)
    pose = None
    if (x, y, yaw_deg, z) != (None, None, None, None):
        turn = math.radians(yaw_deg or 0.0)
        pose = Pose.from_rpy([x or 0.0, y or 0.0, z or 0.0], [0.0, 0.0, turn])
    return Participant(made, name or made.spec.name, pose, z is None, namespace)
