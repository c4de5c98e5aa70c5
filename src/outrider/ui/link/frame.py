"""The poses of all bodies at one time, copied between two steps for all viewers."""

import json
import struct
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from outrider.core.clock import to_s
from outrider.core.frames import AnyArray
from outrider.core.structure import Data
from outrider.sim.runner import Runner


@dataclass(frozen=True, slots=True, eq=False)
class StateFrame:
    """An immutable copy of the visible state; it needs no lock."""

    time_ns: int
    steps: int
    paused: bool
    finished: bool | None
    speed: float
    real_time_factor: float
    lag_s: float
    dropped_s: float
    taken_ms: float  # wall clock
    poses: NDArray[np.float32]  # (bodies, 7): x y z, quaternion x y z w


def take_frame(runner: Runner) -> StateFrame:
    """Copy the state; call between two steps."""
    simulation = runner.simulation
    bodies = simulation.state.bodies
    poses = np.empty((len(bodies), 7), np.float32)
    poses[:, :3] = bodies["position"]
    poses[:, 3:] = bodies["rotation"]
    return StateFrame(
        time_ns=simulation.time_ns,
        steps=simulation.steps,
        paused=runner.paused,
        finished=simulation.finished,
        speed=runner.pacer.speed,
        real_time_factor=0.0 if runner.paused else runner.performance.real_time_factor,
        lag_s=runner.pacer.lag_s,
        dropped_s=runner.pacer.dropped_s,
        taken_ms=time.perf_counter() * 1e3,
        poses=poses,
    )


def packed(head: Data, *arrays: AnyArray) -> bytes:
    """Return a length, a JSON head and arrays, each starting at a multiple of four bytes."""
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    parts = [struct.pack("<I", len(text)), text]
    for array in arrays:
        data = np.ascontiguousarray(array).tobytes()
        parts += [data, b"\0" * (-len(data) % 4)]
    return b"".join(parts)


def frame_bytes(frame: StateFrame, build: int) -> bytes:
    """Return a frame as it is sent to browsers."""
    head = {
        "k": "frame",
        "build": build,
        "t": to_s(frame.time_ns),
        "w": frame.taken_ms,
        "n": len(frame.poses),
        "steps": frame.steps,
        "paused": frame.paused,
        "finished": frame.finished,
        "speed": frame.speed,
        "rtf": frame.real_time_factor,
        "lag": frame.lag_s,
        "dropped": frame.dropped_s,
    }
    return packed(head, frame.poses)
