"""Compiled parts of ray casting: what was hit, and which rays a moving body may block."""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array
from outrider.core.vector_kernels import rotate
from outrider.scene.cones import BLOCK, group_cones, make_cones, meeting
from outrider.scene.past_poses import (
    Record,
    Records,
    Times,
    enter_leg,
    leg_of,
    leg_times,
    share_of,
    sine_and_versine,
)
from outrider.scene.surface import Floats32

Ints = NDArray[np.int32]
LOOKS = 8  # states of a mover that are looked at to tell where it has been


@compiled_nogil
def shade(
    directions: Floats32,
    normals: Floats32,
    shapes: Ints,
    reflectivity: Floats32,
    cosine: Floats32,
    echo: Floats32,
) -> None:  # pragma: no cover - compiled
    """Tell for every ray how squarely it met the surface, and how much that throws back."""
    for i in range(shapes.shape[0]):
        shape = shapes[i]
        x, y, z = normals[i, 0], normals[i, 1], normals[i, 2]
        along = x * directions[i, 0] + y * directions[i, 1] + z * directions[i, 2]
        if shape >= 0:
            length = math.sqrt(x * x + y * y + z * z)
            cosine[i] = min(np.float32(1.0), abs(along) / max(length, np.float32(1e-30)))
            echo[i] = reflectivity[shape]
        else:
            cosine[i] = np.float32(0.0)
            echo[i] = np.float32(0.0)


@compiled_nogil
def select(
    movers: Records,
    ignore: int,
    bodies: Records,
    times: Times,
    first: int,
    count: int,
    origins: Floats32,
    directions: Floats32,
    distance: Floats32,
    when: Times,
    cones: Array,
    picked: Ints,
    starts: Floats32,
    along: Floats32,
    ends: NDArray[np.int64],
) -> int:  # pragma: no cover - compiled
    """List the rays that may end on each mover, in its frame at each ray's time.

    Mover m gets the rays ``picked[ends[m - 1]:ends[m]]``. Returns how many there are in all, or how
    large a buffer is needed at most if it is too small.
    """
    low, high = _span(when)
    begin_leg = leg_of(times, first, count, low, 0)
    end_leg = leg_of(times, first, count, high, begin_leg)
    make_cones(origins, directions, distance, cones)
    groups = group_cones(cones, movers.shape[0])
    near = np.empty(cones.shape[0], np.int64)
    sphere = np.empty(4)
    rotations, translations = np.empty((3, 3, 3)), np.empty((2, 3))
    found = 0
    for m in range(movers.shape[0]):
        mover = movers[m]
        if mover.model != ignore:
            _swept(
                mover=mover,
                bodies=bodies,
                times=times,
                first=first,
                count=count,
                begin=begin_leg,
                end=end_leg,
                sphere=sphere,
            )
            blocks = near[: meeting(sphere, cones, groups, near)]
            end = _pick(sphere, origins, directions, distance, blocks, picked, found)
            if end > picked.shape[0]:
                found = end  # buffer full: only count on
            else:
                found = _bring(
                    mover=mover,
                    bodies=bodies,
                    times=times,
                    first=first,
                    count=count,
                    origins=origins,
                    directions=directions,
                    distance=distance,
                    when=when,
                    picked=picked,
                    begin=found,
                    end=end,
                    rotations=rotations,
                    translations=translations,
                    starts=starts,
                    along=along,
                )
        ends[m] = found
    return found


@compiled_nogil
def _span(when: Times) -> tuple[int, int]:  # pragma: no cover - compiled
    low = high = when[0]
    for i in range(when.shape[0]):
        low, high = min(low, when[i]), max(high, when[i])
    return low, high


@compiled_nogil
def _swept(
    mover: Record,
    bodies: Records,
    times: Times,
    first: int,
    count: int,
    begin: int,
    end: int,
    sphere: Array,
) -> None:  # pragma: no cover - compiled
    """Put a sphere (centre, radius) around a mover in all its places from leg ``begin`` to ``end``.

    Looks at some states only, and allows for as much motion between two as there was from one to
    the next or as its speed would give.
    """
    size = times.shape[0]
    last_leg = min(end + 1, count - 1)
    stride = max(1, (last_leg - begin) // LOOKS)
    farthest, between = 0.0, 0.0
    last = np.empty(3)
    step = begin
    while True:
        row = (first + step) % size
        state = bodies[row, mover.body]
        x, y, z = rotate(state.rotation, mover.centre)
        x, y, z = x + state.position[0], y + state.position[1], z + state.position[2]
        if step == begin:
            sphere[0], sphere[1], sphere[2] = x, y, z
        else:
            moved = (x - last[0]) ** 2 + (y - last[1]) ** 2 + (z - last[2]) ** 2
            between = max(between, moved)
            apart = (x - sphere[0]) ** 2 + (y - sphere[1]) ** 2 + (z - sphere[2]) ** 2
            farthest = max(farthest, apart)
        last[0], last[1], last[2] = x, y, z
        if step >= last_leg:
            break
        step = min(step + stride, last_leg)
    sphere[3] = mover.radius * 1.001 + 1e-4 + math.sqrt(farthest)
    if stride > 1:
        v = bodies[(first + last_leg) % size, mover.body].velocity
        speed = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        gap = times[(first + begin + 1) % size] - times[(first + begin) % size]
        sphere[3] += math.sqrt(between) + speed * stride * gap * 1e-9


@compiled_nogil
def _pick(
    sphere: Array,
    origins: Floats32,
    directions: Floats32,
    distance: Floats32,
    blocks: NDArray[np.int64],
    picked: Ints,
    found: int,
) -> int:  # pragma: no cover - compiled
    """Note the rays of some blocks that pass through a sphere before they end."""
    n = distance.shape[0]
    for b in blocks:
        for i in range(b * BLOCK, min(n, (b + 1) * BLOCK)):
            square, along = 0.0, 0.0
            for k in range(3):
                d = sphere[k] - origins[i, k]
                square += d * d
                along += d * directions[i, k]
            if along + sphere[3] < 0.0 or along - sphere[3] > distance[i]:
                continue
            if square - along * along <= sphere[3] * sphere[3]:
                if found < picked.shape[0]:
                    picked[found] = i
                found += 1
    return found


@compiled_nogil
def _bring(
    mover: Record,
    bodies: Records,
    times: Times,
    first: int,
    count: int,
    origins: Floats32,
    directions: Floats32,
    distance: Floats32,
    when: Times,
    picked: Ints,
    begin: int,
    end: int,
    rotations: Array,
    translations: Array,
    starts: Floats32,
    along: Floats32,
) -> int:  # pragma: no cover - compiled
    """Write picked rays in the mover's frame, each as it was at the ray's own time.

    Keeps those that meet the box around the mover; returns where they end.
    """
    size = times.shape[0]
    leg, angle, kept = 0, 0.0, begin
    start, stop = 1, 0  # of the leg, in ns: at first no time lies in it
    rotation, shift = np.empty((3, 3)), np.empty(3)
    for j in range(begin, end):
        i = picked[j]
        if not start <= when[i] < stop:
            leg = leg_of(times, first, count, when[i], leg)
            a = bodies[(first + leg) % size, mover.body]
            b = bodies[(first + min(leg + 1, count - 1)) % size, mover.body]
            start, stop = leg_times(times, first, count, leg)
            angle = enter_leg(a, b, rotations, translations)
        u = share_of(start, stop, when[i])
        sine, versine = sine_and_versine(u * angle)
        for k in range(3):
            shift[k] = origins[i, k] - translations[0, k] - u * translations[1, k]
            for c in range(3):
                rotation[k, c] = (
                    rotations[0, k, c] + sine * rotations[1, k, c] + versine * rotations[2, k, c]
                )
        for c in range(3):
            s, d = 0.0, 0.0
            for k in range(3):
                s += rotation[k, c] * shift[k]
                d += rotation[k, c] * directions[i, k]
            starts[kept, c] = s
            along[kept, c] = d
        if _box_meets(mover, starts[kept], along[kept], distance[i]):
            picked[kept] = i
            kept += 1
    return kept


@compiled_nogil
def _box_meets(
    mover: Record, start: Floats32, along: Floats32, far: float
) -> bool:  # pragma: no cover - compiled
    """Tell whether a ray may touch the box around a mover before it ends."""
    near = 0.0
    for k in range(3):
        if abs(along[k]) < 1e-9:
            if start[k] < mover.low[k] or start[k] > mover.high[k]:
                return False
            continue
        a = (mover.low[k] - start[k]) / along[k]
        b = (mover.high[k] - start[k]) / along[k]
        near = max(near, min(a, b))
        far = min(far, max(a, b))
    return near <= far


@compiled_nogil
def merge(
    number: int,
    rays: Ints,
    directions: Floats32,
    found_distance: Floats32,
    found_shapes: Ints,
    normals: Floats32,
    reflectivity: Floats32,
    distance: Floats32,
    shapes: Ints,
    parts: Ints,
    cosine: Floats32,
    echo: Floats32,
) -> None:  # pragma: no cover - compiled
    """Take over what a mover stopped: its hits are all nearer than what was known."""
    for j in range(rays.shape[0]):
        if found_shapes[j] < 0:
            continue
        i = rays[j]
        x, y, z = normals[j, 0], normals[j, 1], normals[j, 2]
        dot = x * directions[j, 0] + y * directions[j, 1] + z * directions[j, 2]
        length = math.sqrt(x * x + y * y + z * z)
        distance[i] = found_distance[j]
        shapes[i] = found_shapes[j]
        parts[i] = number
        cosine[i] = min(np.float32(1.0), abs(dot) / max(length, np.float32(1e-30)))
        echo[i] = reflectivity[found_shapes[j]]
