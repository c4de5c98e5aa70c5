"""Environments for learning: one, several with a shared scene, several without, and PyBullet's."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import psutil

from outrider.bench.learning.bullet_waypoints import BulletWaypoints
from outrider.bench.measurement import Measurement, median_time, middle

_NAME = "Outrider/Waypoints-v0"
_SEVERAL = 8
_STEPS = 60
_ROUNDS = 5


class Environments:
    """Benchmarks of ``outrider.learning``: the way-point task, random actions, one process."""

    def __call__(self) -> Iterator[Measurement]:
        """Measure start and memory first, then all speeds in turn, round by round."""
        import gymnasium

        import outrider.learning  # noqa: F401 - registers the environments

        env = gymnasium.make(_NAME)
        env.reset(seed=1)
        shared, shared_s, shared_mb = _started(lambda: gymnasium.make_vec(_NAME, _SEVERAL))
        alone, alone_s, alone_mb = _started(
            lambda: gymnasium.make_vec(_NAME, _SEVERAL, vectorization_mode="sync")
        )
        yield _lower(f"start of {_SEVERAL} environments", shared_s, "s", alone_s)
        yield _lower(f"memory of {_SEVERAL} environments", shared_mb, "MB", alone_mb)
        yield from _speeds(env, shared, alone)
        value, spread = median_time(lambda: env.reset(seed=1), 50)
        yield Measurement("reset of an environment", 1e3 * value, "ms", "lower", 1e3 * spread)


def _started(make: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return several environments after their first reset, their time (s) and memory (MB)."""
    process = psutil.Process()
    before, began = process.memory_info().rss, time.perf_counter()
    made = make()
    made.reset(seed=1)
    return made, time.perf_counter() - began, (process.memory_info().rss - before) / 1e6


def _lower(name: str, value: float, unit: str, other: float) -> Measurement:
    return Measurement(f"{name}, shared scene", value, unit, "lower", peers={"own scenes": other})


def _speeds(env: Any, shared: Any, alone: Any) -> Iterator[Measurement]:
    drives: dict[str, Callable[[], float]] = {
        "one": lambda: _driven(env, 1),
        "shared": lambda: _driven(shared, _SEVERAL),
        "alone": lambda: _driven(alone, _SEVERAL),
    }
    bullet = _bullet(env.unwrapped)
    if bullet is not None:
        drives["pybullet"] = lambda: _bullet_driven(bullet)
    rates: dict[str, list[float]] = {name: [] for name in drives}
    for _ in range(_ROUNDS):  # in turn, so that other load on the machine meets all of them
        for name, drive in drives.items():
            rates[name].append(drive())
    found = {name: middle(values) for name, values in rates.items()}
    pybullet = {"pybullet": found["pybullet"][0]} if bullet else {}
    yield _faster("one environment", found["one"], pybullet)
    peers = {"own scenes": found["alone"][0], "one environment": found["one"][0], **pybullet}
    yield _faster(f"{_SEVERAL} environments, shared scene", found["shared"], peers)


def _faster(name: str, found: tuple[float, float], peers: dict[str, float]) -> Measurement:
    return Measurement(name, found[0], "steps per CPU second", "higher", found[1], peers)


def _driven(env: Any, count: int) -> float:
    """Return the steps of single environments per second of processor time, by random actions."""
    env.action_space.seed(1)
    env.reset(seed=1)
    actions = [env.action_space.sample() for _ in range(_STEPS)]
    began = time.process_time()
    for action in actions:
        _, _, ended, late, _ = env.step(action)
        if count == 1 and (ended or late):
            env.reset()
    return _STEPS * count / (time.process_time() - began)


def _bullet(env: Any) -> BulletWaypoints | None:
    options = env.options
    try:
        return BulletWaypoints(env.simulation, options.rays, options.step_s, options.control_hz)
    except ImportError:
        return None


def _bullet_driven(task: BulletWaypoints) -> float:
    random = np.random.default_rng(1)
    actions = random.uniform(-1.0, 1.0, (_STEPS, 2))
    began = time.process_time()
    for action in actions:
        *_, collided = task.step(action)
        if collided:
            task.reset()
    return _STEPS / (time.process_time() - began)
