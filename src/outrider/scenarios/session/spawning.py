"""Robots and models out of URDF or SDF text, put into a running simulation."""

import math
import re
from hashlib import blake2b
from pathlib import Path
from typing import Any

from outrider.core.errors import ConfigError, OutriderError
from outrider.core.frames import Pose
from outrider.core.package_files import spawned_folder
from outrider.core.structure import build
from outrider.scenarios.scenario import RobotEntry
from outrider.scenarios.services.arguments import numbers, unit
from outrider.scenarios.session.changes import AddModel, AddRobot, names_of
from outrider.scenarios.session.session import Session
from outrider.specs.world import ModelEntry, PoseSpec

_MOST_TEXT = 16 * 1024 * 1024
_NAME = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_KEYS = ("name", "text", "format", "namespace", "pose", "position", "orientation")


def spawn(session: Session, arguments: dict[str, Any]) -> dict[str, Any]:
    """Put in what a text describes: a robot if it has a drive, else a model.

    ``format`` is urdf or sdf (guessed if not given); ``pose`` as files have it, or ``position``
    and ``orientation`` (x y z w).
    """
    for key in arguments:
        if key not in _KEYS:
            raise ConfigError(f"spawn: unknown argument '{key}'; known: {', '.join(_KEYS)}")
    name, path = _checked_name(session, arguments.get("name")), _file(arguments)
    pose = _pose(arguments)
    space = arguments.get("namespace")
    entry = RobotEntry(str(path), name, pose, (str(space).strip("/") or name) if space else name)
    kind = "robot"
    try:
        session.apply(AddRobot(entry))
    except OutriderError as no_robot:
        try:
            session.apply(AddModel(ModelEntry(str(path), name=name, pose=pose)))
        except OutriderError as no_model:
            raise ConfigError(f"spawn '{name}': {no_model} (as a robot: {no_robot})") from None
        kind = "model"
    return {"name": name, "kind": kind, "time_s": session.simulation.time_s}


def _checked_name(session: Session, name: object) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ConfigError(f"spawn: name: expected letters, digits, _ and -, got {name!r:.60}")
    if name in names_of(session.scenario):
        raise ConfigError(f"spawn: there is a model '{name}' already")
    return name


def _file(arguments: dict[str, Any]) -> Path:
    """Return the file that a text is kept in: saved states name it."""
    text = arguments.get("text")
    if not isinstance(text, str) or not text.strip() or len(text) > _MOST_TEXT:
        raise ConfigError(f"spawn: text: expected a description of up to {_MOST_TEXT} letters")
    kind = arguments.get("format") or ("sdf" if "<sdf" in text else "urdf")
    if kind not in ("urdf", "sdf"):
        raise ConfigError(f"spawn: format: expected urdf or sdf, got {kind!r:.60}")
    folder = spawned_folder()
    folder.mkdir(parents=True, exist_ok=True)
    name = blake2b(text.encode(), digest_size=10).hexdigest()
    path = folder / f"{name}.{kind}"
    path.write_text(text, encoding="utf-8")
    return path


def _pose(arguments: dict[str, Any]) -> PoseSpec:
    if (pose := arguments.get("pose")) is not None:
        return build(PoseSpec, pose, "spawn: pose")
    if arguments.get("position") is None:
        return PoseSpec()
    place = numbers(arguments["position"], "position", 3)
    turn = unit(numbers(arguments.get("orientation") or [0, 0, 0, 1], "orientation", 4))
    x, y, z = place.tolist()
    roll, pitch, yaw = (math.degrees(angle) for angle in Pose(place, turn).rpy.tolist())
    return PoseSpec(x, y, z, roll, pitch, yaw)
