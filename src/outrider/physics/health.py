"""Stops a simulation that diverges, with its last good state saved; what only falls is caught."""

import logging
import math
import os

import numpy as np
from numba import carray

from outrider.core.address import pointer
from outrider.core.cache_folder import cache_dir
from outrider.core.clock import to_s
from outrider.core.compiled import compiled
from outrider.core.errors import ConfigError, UnstableError
from outrider.core.files.atomic_file import replacing
from outrider.core.frames import Array, Pose
from outrider.physics.engine import PhysicsEngine
from outrider.world.assembly import WORLD
from outrider.world.state import BODY, WorldState

_LOG = logging.getLogger("outrider")
_LIGHTEST, _HEAVIEST = 1e-6, 1e6  # kg
_FASTEST = 1000.0  # m/s
_MOST_SPIN = 300.0  # rad/s that a body may be given: what it touches then flings it
_FARTHEST = 1e6  # m, but not downward: what falls for ever gets there
_DEEPEST = 1e9  # m
_KEEP_EVERY = 100  # steps between copies of a good state


@compiled
def _sick(address: int, count: int) -> int:  # pragma: no cover - compiled
    """Return the first of some bodies that is nowhere or too fast, or -1."""
    bodies = carray(pointer(address), count, BODY)
    for i in range(bodies.shape[0]):
        for k in range(3):
            fast = abs(bodies[i].velocity[k])
            far = bodies[i].position[k]
            least = -_DEEPEST if k == 2 else -_FARTHEST
            near = least < far < _FARTHEST
            if not (fast < _FASTEST and near) or math.isnan(bodies[i].rotation[k]):
                return i
    return -1


def check_bounds(name: str, position: Array, velocity: Array | None = None) -> None:
    """Refuse a place or a speed at which the first step would end the run."""
    if not (np.abs(position) < _FARTHEST).all():
        x, y, z = position.tolist()
        raise ConfigError(
            f"'{name}' cannot be at x = {x:g}, y = {y:g}, z = {z:g}: expected a place within"
            f" {_FARTHEST:g} m of the origin"
        )
    if velocity is not None and not (np.abs(velocity) < _FASTEST).all():
        raise ConfigError(
            f"'{name}' cannot move at {np.abs(velocity).max():g} m/s: expected less than"
            f" {_FASTEST:g} m/s"
        )


def check_spin(name: str, angular_velocity: Array) -> None:
    """Refuse a turn that would fling a body out of all bounds when it touches something."""
    spin = float(np.linalg.norm(angular_velocity))
    if not spin <= _MOST_SPIN:
        raise ConfigError(
            f"'{name}' cannot turn at {spin:g} rad/s: expected at most {_MOST_SPIN:g} rad/s"
        )


def check_mass(name: str, mass: float) -> None:
    """Refuse a mass beside which other masses have no digits left: contacts would burst."""
    if not _LIGHTEST <= mass <= _HEAVIEST:
        raise ConfigError(
            f"'{name}' weighs {mass:g} kg: expected {_LIGHTEST:g} to {_HEAVIEST:g} kg of what is"
            " added to a running simulation"
        )


class Health:
    """Looks over all bodies after every step."""

    def __init__(self, engine: PhysicsEngine) -> None:
        self._engine, self._state = engine, engine.state
        self._bodies = engine.state.bodies.ctypes.data, len(engine.state.bodies)  # they stay there
        self._told: set[str] = set()

    def check(self, last_good: WorldState, steps: int) -> WorldState:
        """Raise if the state diverged; else return the newest good state to fall back on."""
        if (body := _sick(*self._bodies)) >= 0:
            self._catch(body, last_good)
        return self._state.copy() if steps % _KEEP_EVERY == 0 else last_good

    def _catch(self, body: int, last_good: WorldState) -> None:
        """Stop what falls for ever in mid-air, from where it falls again; raise for all else."""
        for _ in self._engine.assembly.bodies:
            root = self._root(body)
            if not _falls(self._state.bodies[body]) or root == WORLD:
                break
            place = self._state.bodies[root]
            pose = Pose(place["position"].copy(), place["rotation"].copy())
            self._engine.place(root, pose, np.zeros(3), np.zeros(3))
            self._tell(root)
            if (body := _sick(*self._bodies)) < 0:
                return
        raise self._unstable(body, last_good)

    def _root(self, body: int) -> int:
        """Return the free body that carries another, or the world if none does."""
        assembly = self._engine.assembly
        root = assembly.root(assembly.models[assembly.bodies[body].model])
        free = assembly.bodies[root].joint == -1 and assembly.bodies[root].mobility == "dynamic"
        return root if free else WORLD

    def _tell(self, root: int) -> None:
        name = self._engine.assembly.body_name(root)
        if name not in self._told:
            self._told.add(name)
            _LOG.warning(
                "body '%s' has fallen for so long that it passed %g m/s: there is no ground below"
                " it, or it has no collision shape; it is stopped in mid-air, and falls on",
                name,
                _FASTEST,
            )

    def _unstable(self, body: int, last_good: WorldState) -> UnstableError:
        name, now_s = self._engine.assembly.body_name(body), to_s(self._state.time_ns)
        return UnstableError(
            f"the simulation became unstable at {now_s:.4f} s: body '{name}' left all bounds;"
            f" the state at {to_s(last_good.time_ns):.4f} s {_save(last_good)}"
        )


def _falls(body: np.void) -> bool:
    """Return whether a body moves as one that fell for a minute, rather than diverged."""
    along, across, down = body["velocity"].tolist()
    return -1.1 * _FASTEST < down < -0.9 * _FASTEST and math.hypot(along, across) < 0.1 * _FASTEST


def _save(state: WorldState) -> str:
    """Save a state; return what became of it."""
    folder = cache_dir() / "unstable"
    path = folder / f"{os.getpid()}-{state.time_ns}.npz"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with replacing(path) as file:
            np.savez(file, time_ns=state.time_ns, bodies=state.bodies, joints=state.joints)
    except OSError as error:
        return f"could not be saved in {folder}: {error.strerror or error}"
    return f"is saved in {path}"
