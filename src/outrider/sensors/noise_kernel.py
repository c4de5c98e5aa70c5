"""What errors do to a measured vector, in compiled code: the objects are in ``noise.py``.

Plain numbers one after the other, so that the bytes are the same on every processor: a library's
product of matrices takes the instructions that it finds.
"""

from typing import Any

import numpy as np
from numba import carray

from outrider.core.address import doubles, pointer, words
from outrider.core.compiled import compiled
from outrider.core.frames import Array

BLOCK = 64  # random vectors drawn at once
DISTORTION, OFFSET, WANDERING, WHITE, SATURATION, QUANTISATION = range(6)
ERROR = np.dtype(
    [
        ("kind", np.int64),
        ("keep", np.float64),  # the share of a wandering bias that is left
        ("gain", np.float64),  # the sigma of what is added, the limit, or the step
        ("size", np.int64),  # of its vectors; 0: any
        # addresses, 0 for none
        ("bias", np.int64),  # (size,)
        ("matrix", np.int64),  # (size, size)
        ("numbers", np.int64),  # random (BLOCK, size)
        ("taken", np.int64),  # how many of them, (1,)
    ]
)


@compiled
def apply_errors(place: int, count: int, value: Array) -> bool:  # pragma: no cover - compiled
    """Change a value by a table of errors; if one needs random numbers, do nothing but say so."""
    errors = carray(pointer(place), count, ERROR)
    if not supplied(errors):
        return False
    change(errors, value)
    return True


@compiled
def skip_values(place: int, count: int, size: int, times: int) -> int:  # pragma: no cover
    """Let so many values pass that nobody wants; return how many, until one needs numbers."""
    errors, value = carray(pointer(place), count, ERROR), np.zeros(size)
    for k in range(times):
        if not supplied(errors):
            return k
        change(errors, value)
        value[:] = 0.0
    return times


@compiled
def change(errors: Any, value: Array) -> None:  # pragma: no cover - compiled
    """Change a value by all errors of a table, which have random numbers left."""
    for i in range(errors.shape[0]):
        _apply(errors[i], value)


@compiled
def supplied(errors: Any) -> bool:  # pragma: no cover - compiled
    """Return whether all errors of a table have random numbers left."""
    for i in range(errors.shape[0]):
        if errors[i].taken != 0 and words(errors[i].taken, 1)[0] >= BLOCK:
            return False
    return True


@compiled
def add_biases(errors: Any, total: Array) -> None:  # pragma: no cover - compiled
    """Set a vector to the sum of all biases of a table."""
    total[:] = 0.0
    for i in range(errors.shape[0]):
        if errors[i].bias != 0:
            total += doubles(errors[i].bias, total.shape[0])


@compiled
def _apply(error: Any, value: Array) -> None:  # pragma: no cover - compiled
    size = value.shape[0]
    if error.size != 0 and error.size != size:
        raise ValueError("a value and its errors have different sizes")
    if error.kind == DISTORTION:
        _multiply(doubles(error.matrix, (size, size)), value)
    elif error.kind == OFFSET:
        value += doubles(error.bias, size)
    elif error.kind == WANDERING:
        _wander(doubles(error.bias, size), error.keep, error.gain, _draw(error, size))
        value += doubles(error.bias, size)
    elif error.kind == WHITE:
        push = _draw(error, size)
        for k in range(size):
            value[k] += error.gain * push[k]
    elif error.kind == SATURATION:
        _cut(value, error.gain)
    else:
        for k in range(size):
            value[k] = error.gain * np.rint(value[k] / error.gain)


@compiled
def _wander(bias: Array, keep: float, gain: float, push: Array) -> None:  # pragma: no cover
    """Move a bias on."""
    for k in range(bias.shape[0]):
        bias[k] = keep * bias[k] + gain * push[k]


@compiled
def _cut(value: Array, limit: float) -> None:  # pragma: no cover - compiled
    """Keep a value within limits; what is not a number stays so."""
    for k in range(value.shape[0]):
        if abs(value[k]) > limit:
            value[k] = limit if value[k] > 0.0 else -limit


@compiled
def _draw(error: Any, size: int) -> Array:  # pragma: no cover - compiled
    """Return the next random vector."""
    taken = words(error.taken, 1)
    row: Array = doubles(error.numbers, (BLOCK, size))[taken[0]]
    taken[0] += 1
    return row


@compiled
def _multiply(matrix: Array, value: Array) -> None:  # pragma: no cover - compiled
    """Multiply a vector by a matrix, in place."""
    given = value.copy()
    for k in range(value.shape[0]):
        value[k] = 0.0
        for i in range(value.shape[0]):
            value[k] += matrix[k, i] * given[i]
