"""Outrider: a simulator and test bench for unmanned ground vehicles.

>>> import outrider as o
>>> sim = o.Simulation(o.load_world("empty"), robots=[o.robot("jackal")])
>>> sim.robots["jackal"].drive(0.5)
>>> sim.run(0.2)
"""

from importlib import import_module
from os.path import lexists
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from outrider.bridges.local.client import connect
    from outrider.builders.grounds import EndlessLand, Floor, Hills, Land, Terrain
    from outrider.builders.objects import Box, Capsule, Cone, Cylinder, Group, Model, Sphere
    from outrider.builders.robot import RobotBuilder
    from outrider.builders.robot_parts import Castor, Sensor, Wheel
    from outrider.builders.world import WorldBuilder
    from outrider.components.canvas import Canvas
    from outrider.components.component import Component
    from outrider.components.handle import Handle
    from outrider.core.errors import OutriderError
    from outrider.core.frames import Pose
    from outrider.scenarios.api import load, load_world, robot, scenario
    from outrider.scenarios.api import open_ as open  # noqa: A004 - o.open reads best
    from outrider.scenarios.build import build
    from outrider.scenarios.picture import snapshot
    from outrider.scenarios.recording import record, replay
    from outrider.scenarios.run import run_scenario
    from outrider.scenarios.scenario import Scenario
    from outrider.scenarios.services.in_process import Control
    from outrider.scenarios.session.session import Session
    from outrider.sim.simulation import Simulation

__version__ = "0.1.0"

# what numba and matplotlib would take settings from, whosever folder this is
if lexists(".numba_config.yaml") or lexists("matplotlibrc"):
    import_module("outrider.core.files.folder_settings").import_without_them()

__all__ = [
    "Box",
    "Canvas",
    "Capsule",
    "Castor",
    "Component",
    "Cone",
    "Control",
    "Cylinder",
    "EndlessLand",
    "Floor",
    "Group",
    "Handle",
    "Hills",
    "Land",
    "Model",
    "OutriderError",
    "Pose",
    "RobotBuilder",
    "Scenario",
    "Sensor",
    "Session",
    "Simulation",
    "Sphere",
    "Terrain",
    "Wheel",
    "WorldBuilder",
    "__version__",
    "build",
    "connect",
    "load",
    "load_world",
    "open",
    "record",
    "replay",
    "robot",
    "run_scenario",
    "scenario",
    "snapshot",
]

# Imported when first asked for: an engine that nobody uses must not cost time.
_HOMES = {
    **dict.fromkeys(
        ("EndlessLand", "Floor", "Hills", "Land", "Terrain"), "outrider.builders.grounds"
    ),
    **dict.fromkeys(("Castor", "Sensor", "Wheel"), "outrider.builders.robot_parts"),
    **dict.fromkeys(
        ("Box", "Capsule", "Cone", "Cylinder", "Group", "Model", "Sphere"),
        "outrider.builders.objects",
    ),
    "RobotBuilder": "outrider.builders.robot",
    "WorldBuilder": "outrider.builders.world",
    "Canvas": "outrider.components.canvas",
    "Component": "outrider.components.component",
    "Handle": "outrider.components.handle",
    "OutriderError": "outrider.core.errors",
    "Pose": "outrider.core.frames",
    "Control": "outrider.scenarios.services.in_process",
    "Scenario": "outrider.scenarios.scenario",
    "Session": "outrider.scenarios.session.session",
    "Simulation": "outrider.sim.simulation",
    "build": "outrider.scenarios.build",
    "connect": "outrider.bridges.local.client",
    "load": "outrider.scenarios.api",
    "open": "outrider.scenarios.api",
    "load_world": "outrider.scenarios.api",
    "record": "outrider.scenarios.recording",
    "replay": "outrider.scenarios.recording",
    "robot": "outrider.scenarios.api",
    "run_scenario": "outrider.scenarios.run",
    "scenario": "outrider.scenarios.api",
    "snapshot": "outrider.scenarios.picture",
}

_CALLED = {"open": "open_"}  # where a name of Python's own stands in the way


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'outrider' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), _CALLED.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
