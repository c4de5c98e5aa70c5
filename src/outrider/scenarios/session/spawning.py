"""Robots and models from URDF or SDF text, added to a running simulation."""

import math
import os
import re
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

import numpy as np

from outrider.core.errors import ConfigError, FormatError, LimitError, OutriderError, PlaceError
from outrider.core.files.package_files import spawned_folder
from outrider.core.frames import Pose
from outrider.core.process.notices import say_once
from outrider.core.structure import from_data
from outrider.formats.peer_text import read_peer_text
from outrider.messages.services.replies import Spawned
from outrider.messages.services.requests import ModelText
from outrider.scenarios.scenario import RobotEntry
from outrider.scenarios.services.model_state import unit
from outrider.scenarios.session.changes import AddModel, AddRobot, Change, names_of
from outrider.scenarios.session.session import Session
from outrider.sim.simulation import Simulation
from outrider.specs.world import ModelEntry, PoseSpec

_Prepare: TypeAlias = Callable[[Change], Callable[[], Simulation]]
_MOST_TEXT = 4 * 1024 * 1024
_MOST_KEPT = 1 << 30  # bytes of all texts, which are kept for saved states
_NAME = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)


def spawn(session: Session, request: ModelText) -> Spawned:
    """Put in what a text describes: a robot if it has a drive, else a model."""
    return prepared_spawn(session, request)()


def prepared_spawn(
    session: Session, request: ModelText, *, of_client: bool = False
) -> Callable[[], Spawned]:
    """Build it with what a text describes, in any thread; to be called between two steps.

    What is ``of_client`` is bounded.
    """
    name, pose = _checked_name(session, request.name), _pose(request)
    path, text = _file(request), request.text.encode("utf-8", "replace")
    new = not path.exists()
    if new:
        _check_room(path.parent)
    try:
        rolls = read_peer_text(text, path) == "robot"
    except FormatError as error:
        raise ConfigError(f"spawn '{name}': {error}") from None
    try:
        prepared = partial(session.prepared, of_client=of_client)
        kind, finish = _prepared(prepared, request, name, pose, path, rolls=rolls)
    except OutriderError:
        if new:  # nothing names it
            path.unlink(missing_ok=True)
        raise
    return lambda: Spawned(name, kind, finish().time_s)


def _prepared(
    prepared: _Prepare, request: ModelText, name: str, pose: PoseSpec, path: Path, *, rolls: bool
) -> tuple[str, Callable[[], Simulation]]:
    """Return whether it is a robot or a model, and what puts it in."""
    entry = RobotEntry(str(path), name, pose, request.namespace.strip("/") or name)
    reason = ""
    if rolls:
        try:
            return "robot", prepared(AddRobot(entry))
        except PlaceError as error:
            raise PlaceError(f"spawn '{name}': {error}") from None
        except LimitError as error:
            raise LimitError(f"spawn '{name}': {error}") from None
        except OutriderError as error:
            reason = f" (as a robot: {error})"
    try:
        return "model", prepared(AddModel(ModelEntry(str(path), name=name, pose=pose)))
    except PlaceError as error:
        raise PlaceError(f"spawn '{name}': {error}") from None
    except OutriderError as error:
        raise ConfigError(f"spawn '{name}': {error}{reason}") from None


def _checked_name(session: Session, name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ConfigError(f"spawn: name: expected letters, digits, _ and -, got {name!r:.60}")
    if name in names_of(session.scenario):
        raise ConfigError(f"spawn: there is already a model '{name}'")
    return name


def _file(request: ModelText) -> Path:
    """Return the file that a text is kept in: saved states name it."""
    text = request.text
    if not text.strip() or len(text) > _MOST_TEXT:
        raise ConfigError(f"spawn: text: expected a description of up to {_MOST_TEXT} letters")
    kind = request.format or ("sdf" if "<sdf" in text else "urdf")
    name = blake2b(text.encode("utf-8", "replace"), digest_size=10).hexdigest()
    return spawned_folder() / f"{name}.{kind}"


def _check_room(folder: Path) -> None:
    """Refuse to fill the disk with descriptions, however many clients send."""
    kept = 0
    with suppress(OSError):  # there is no such folder yet, or another run removes a file
        kept = sum(file.stat().st_size for file in os.scandir(folder))
    if kept > _MOST_KEPT:
        say_once(
            f"descriptions from clients take more than {_MOST_KEPT >> 20} MB in {folder}: remove"
            " those that no saved state needs"
        )
        raise ConfigError(
            "spawn: no more descriptions are kept here; the terminal of the run says what to do"
        )


def _pose(request: ModelText) -> PoseSpec:
    if request.pose is not None:
        return from_data(PoseSpec, request.pose, "spawn: pose")
    if request.position is None:
        return PoseSpec()
    place = np.array(request.position)
    turn = unit(np.array(request.orientation or (0.0, 0.0, 0.0, 1.0)))
    x, y, z = place.tolist()
    roll, pitch, yaw = (math.degrees(angle) for angle in Pose(place, turn).rpy.tolist())
    return PoseSpec(x, y, z, roll_deg=roll, pitch_deg=pitch, yaw_deg=yaw)
