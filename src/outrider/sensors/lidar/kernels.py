"""Compiled parts of a LiDAR's scan: rays from poses, ranges from hits, points from ranges.

The model of a return. A spot reflects power in proportion to reflectivity times the cosine of
incidence, over the square of the range. The margin is that power over the power of a surface of
10 % reflectivity at normal incidence and ``range_at_10_percent``; the probability of a return is
``margin ** sharpness / (1 + margin ** sharpness)``.
"""

import math

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array
from outrider.scene.past_poses import (
    SMALL_RAD,
    Record,
    Records,
    Times,
    enter_leg,
    leg_of,
    leg_times,
)
from outrider.scene.surface import Floats32

Ints = NDArray[np.int32]

LIMITS = np.dtype(
    [
        ("range_min", np.float32),
        ("range_max", np.float32),
        ("resolution", np.float32),
        ("housing", np.float32),  # length of a beam before its ray starts
        ("gain", np.float32),  # power of echo * gain / r^2 is the margin; 0: all returns are seen
        ("sharpness", np.float32),
        ("kept", np.float32),  # share that no drop-out takes
        ("white", np.float32),  # intensity of a white surface
        ("pulse", np.float32),
        ("choice", np.int32),  # 0 strongest, 1 first, 2 last
    ]
)
_NONE, _NEAR = np.float32(np.inf), np.float32(-np.inf)


@compiled_nogil
def aim(
    bodies: Records,
    times: Times,
    first: int,
    count: int,
    body: int,
    lever: Array,
    rays: Floats32,
    housing: float,
    start_ns: int,
    offsets: Times,
    scratch: Floats32,
    origins: Floats32,
    directions: Floats32,
    when: Times,
    begin_ray: int,
    end_ray: int,
) -> None:  # pragma: no cover - compiled
    """Rotate rays (3, n), given in the body's frame, by the body's pose when each is fired."""
    size = times.shape[0]
    rotations, positions = np.empty((3, 3, 3)), np.empty((2, 3))
    rotations32, arms = np.empty((3, 3, 3), np.float32), np.empty((3, 3), np.float32)
    n = end_ray
    for i in range(begin_ray, n):
        when[i] = start_ns + offsets[i]
    leg, i = 0, begin_ray
    while i < n:
        leg = leg_of(times, first, count, when[i], leg)
        begin, end = leg_times(times, first, count, leg)
        a = bodies[(first + leg) % size, body]
        b = bodies[(first + min(leg + 1, count - 1)) % size, body]
        angle = enter_leg(a, b, rotations, positions)
        for k in range(3):
            for c in range(3):
                arm = 0.0
                for m in range(3):
                    rotations32[k, c, m] = rotations[k, c, m]
                    arm += rotations[k, c, m] * lever[m]
                arms[k, c] = arm
        stop = i + 1
        while stop < n and begin <= when[stop] and (when[stop] < end or leg >= count - 2):
            stop += 1
        _shares(begin, end, angle, when, i, stop, scratch)
        _rotate_rays(rotations32, rays, i, stop, scratch, directions)
        _move_rays(positions, arms, housing, i, stop, scratch, origins)
        i = stop


# The loops below are plain, in single precision and along rows, so that the compiler does several
# rays at a time. Rows of ``scratch`` are the share, sine and versine, and then a vector per ray.


@compiled_nogil
def _shares(
    begin: int, end: int, angle: float, when: Times, i0: int, i1: int, scratch: Floats32
) -> None:  # pragma: no cover - compiled
    """Note for every ray its share of the leg, and the sine and versine of its rotation."""
    u, sine, versine, when = scratch[0][i0:i1], scratch[1][i0:i1], scratch[2][i0:i1], when[i0:i1]
    scale = np.float32(1.0 / (end - begin)) if end > begin else np.float32(0.0)
    full = np.float32(angle)
    one, zero = np.float32(1.0), np.float32(0.0)
    for i in range(when.shape[0]):
        u[i] = min(one, max(zero, np.float32(when[i] - begin) * scale))
    if angle > SMALL_RAD:
        for i in range(when.shape[0]):
            sine[i] = math.sin(full * u[i])
            versine[i] = one - math.cos(full * u[i])
        return
    a, b, c = np.float32(1 / 6), np.float32(1 / 120), np.float32(1 / 5040)
    d, e, f = np.float32(1 / 2), np.float32(1 / 24), np.float32(1 / 720)
    for i in range(when.shape[0]):
        x = full * u[i]
        s = x * x
        sine[i] = x * (one - s * (a - s * (b - s * c)))
        versine[i] = s * (d - s * (e - s * f))


@compiled_nogil
def _rotate_rays(
    rotations: Floats32, rays: Floats32, i0: int, i1: int, scratch: Floats32, directions: Floats32
) -> None:  # pragma: no cover - compiled
    """Rotate rays from the body's frame to the world."""
    sine, versine = scratch[1][i0:i1], scratch[2][i0:i1]
    x, y, z = rays[0][i0:i1], rays[1][i0:i1], rays[2][i0:i1]
    for k in range(3):
        a0, a1, a2 = rotations[0, k, 0], rotations[0, k, 1], rotations[0, k, 2]
        b0, b1, b2 = rotations[1, k, 0], rotations[1, k, 1], rotations[1, k, 2]
        c0, c1, c2 = rotations[2, k, 0], rotations[2, k, 1], rotations[2, k, 2]
        out = scratch[3 + k][i0:i1]
        for i in range(out.shape[0]):
            s, v = sine[i], versine[i]
            out[i] = (
                (a0 + s * b0 + v * c0) * x[i]
                + (a1 + s * b1 + v * c1) * y[i]
                + (a2 + s * b2 + v * c2) * z[i]
            )
    _to_rows(scratch, i0, i1, directions)


@compiled_nogil
def _move_rays(
    positions: Array,
    arms: Floats32,
    housing: float,
    i0: int,
    i1: int,
    scratch: Floats32,
    origins: Floats32,
) -> None:  # pragma: no cover - compiled
    """Start rays at the sensor, or where they leave its housing."""
    u, sine, versine = scratch[0][i0:i1], scratch[1][i0:i1], scratch[2][i0:i1]
    length = np.float32(housing)
    for k in range(3):
        place, way = positions[0, k], np.float32(positions[1, k])
        a, b, c = arms[0, k], arms[1, k], arms[2, k]
        out = scratch[3 + k][i0:i1]
        for i in range(out.shape[0]):
            # far from the world's origin only the last sum needs more digits
            near = u[i] * way + a + sine[i] * b + versine[i] * c + length * out[i]
            out[i] = place + near
    _to_rows(scratch, i0, i1, origins)


@compiled_nogil
def _to_rows(
    scratch: Floats32, i0: int, i1: int, vectors: Floats32
) -> None:  # pragma: no cover - compiled
    x, y, z, vectors = scratch[3][i0:i1], scratch[4][i0:i1], scratch[5][i0:i1], vectors[i0:i1]
    for i in range(vectors.shape[0]):
        vectors[i, 0] = x[i]
        vectors[i, 1] = y[i]
        vectors[i, 2] = z[i]


@compiled_nogil
def gather(
    limits: Record,
    sub: int,
    order: Ints,
    distance: Floats32,
    cosine: Floats32,
    reflectivity: Floats32,
    shapes: Ints,
    ranges: Floats32,
    echoes: Floats32,
) -> None:  # pragma: no cover - compiled
    """Make one range from each beam's rays: echoes close together merge.

    The rays are those of the beams in the order given.
    """
    nearest_first = np.empty(sub, np.int64)
    for i in range(order.shape[0]):
        hits = 0
        for j in range(i * sub, (i + 1) * sub):
            if shapes[j] < 0:
                continue
            k = hits
            while k > 0 and distance[nearest_first[k - 1]] > distance[j]:
                nearest_first[k] = nearest_first[k - 1]
                k -= 1
            nearest_first[k] = j
            hits += 1
        best, best_range, best_echo = -1.0, np.inf, 0.0
        k = 0
        while k < hits:
            power, moment, echo = 0.0, 0.0, 0.0
            nearest = distance[nearest_first[k]]
            while k < hits and distance[nearest_first[k]] - nearest <= limits.pulse:
                j = nearest_first[k]
                back = reflectivity[j] * cosine[j]
                strength = back / max(distance[j] * distance[j], 1e-6)
                power += strength
                moment += strength * (distance[j] - nearest)
                echo += back
                k += 1
            if power > best or limits.choice == 2:
                best, best_echo = power, echo / sub
                best_range = nearest + (moment / power if power > 0.0 else 0.0)
            if limits.choice == 1:
                break
        ranges[order[i]] = best_range
        echoes[order[i]] = best_echo


@compiled_nogil
def single(
    order: Ints,
    distance: Floats32,
    cosine: Floats32,
    reflectivity: Floats32,
    shapes: Ints,
    ranges: Floats32,
    echoes: Floats32,
) -> None:  # pragma: no cover - compiled
    """Take the range of each beam from its only ray; rays are in the order given."""
    for i in range(order.shape[0]):
        beam = order[i]
        ranges[beam] = distance[i] if shapes[i] >= 0 else _NONE
        echoes[beam] = reflectivity[i] * cosine[i]


@compiled_nogil
def measure(
    limits: Record,
    noise_range: Floats32,
    noise_sigma: Floats32,
    bias: Floats32,
    channel: Ints,
    normal: Floats32,
    chance: Floats32,
    ranges: Floats32,
    echoes: Floats32,
) -> None:  # pragma: no cover - compiled
    """Turn true ranges into measured ones, and echoes into intensities.

    REP 117: +inf is no return, -inf too near.
    """
    points = noise_range.shape[0]
    for i in range(ranges.shape[0]):
        r = ranges[i] + limits.housing
        echo = echoes[i]
        if not r < np.inf or (chance.shape[0] and chance[i] >= seen_share(limits, echo, r)):
            ranges[i] = _NONE
            echoes[i] = 0.0
            continue
        if points:
            k = 1
            while k < points - 1 and noise_range[k] < r:
                k += 1
            share = (r - noise_range[k - 1]) / (noise_range[k] - noise_range[k - 1])
            share = min(np.float32(1.0), max(np.float32(0.0), share))
            sigma = noise_sigma[k - 1] + share * (noise_sigma[k] - noise_sigma[k - 1])
            r += sigma * normal[i]
        r += bias[channel[i]]
        if limits.resolution > 0.0:
            r = np.float32(math.floor(r / limits.resolution + np.float32(0.5))) * limits.resolution
        echoes[i] = min(np.float32(255.0), math.floor(limits.white * echo + np.float32(0.5)))
        if r < limits.range_min:
            r = _NEAR
        elif r > limits.range_max:
            r = _NONE
        ranges[i] = r


@compiled_nogil
def seen_share(limits: Record, echo: float, r: float) -> float:  # pragma: no cover - compiled
    """Return the chance that a return is seen."""
    kept = limits.kept
    if limits.gain == 0.0:
        return kept  # type: ignore[no-any-return]
    margin = echo * limits.gain / max(r * r, np.float32(1e-6))
    if margin <= 0.0:
        return np.float32(0.0)  # type: ignore[return-value]
    edge = limits.sharpness * math.log(margin)
    if edge > 16.0:
        return kept  # type: ignore[no-any-return]
    return kept / (np.float32(1.0) + math.exp(-edge))  # type: ignore[no-any-return]


@compiled_nogil
def pack(
    ranges: Floats32,
    intensity: Floats32,
    directions: Floats32,
    ring: NDArray[np.uint16],
    seconds: Floats32,
    points: Records,
) -> int:  # pragma: no cover - compiled
    """Write the returns one after the other; return how many there are."""
    n = 0
    for i in range(ranges.shape[0]):
        r = ranges[i]
        if abs(r) == _NONE:
            continue
        point = points[n]
        point.x = r * directions[i, 0]
        point.y = r * directions[i, 1]
        point.z = r * directions[i, 2]
        point.intensity = intensity[i]
        point.ring = ring[i]
        point.time = seconds[i]
        n += 1
    return n


@compiled_nogil
def pack_rows(
    ranges: Floats32,
    intensity: Floats32,
    directions: Floats32,
    ring: NDArray[np.uint16],
    column: Ints,
    columns: int,
    seconds: Floats32,
    points: Records,
) -> None:  # pragma: no cover - compiled
    """Write every firing to the row of its ring; what did not come back is not a number."""
    for i in range(ranges.shape[0]):
        r = ranges[i]
        if abs(r) == _NONE:
            r = np.float32(np.nan)
        point = points[np.int64(ring[i]) * columns + column[i]]
        point.x = r * directions[i, 0]
        point.y = r * directions[i, 1]
        point.z = r * directions[i, 2]
        point.intensity = intensity[i]
        point.ring = ring[i]
        point.time = seconds[i]
