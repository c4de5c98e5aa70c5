"""Four numbers at once, as processors hold them: a colour and its opacity, for compiled code."""
# ruff: noqa: ARG001 - numba says which arguments there are

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

_FLOATS = ir.VectorType(ir.FloatType(), 4)
_SHORTS = ir.VectorType(ir.IntType(16), 4)
_INTS = ir.VectorType(ir.IntType(32), 4)
WHITE = 65535  # what is stored for 1
SHARE = np.float32(1.0 / WHITE)


class FourType(types.Type):  # type: ignore[misc]
    """The type of four numbers."""

    def __init__(self) -> None:
        super().__init__(name="Four")


Four: Any = FourType()


@register_model(FourType)
class _FourModel(models.PrimitiveModel):  # type: ignore[misc]
    """A vector register."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _FLOATS)


def _spread(builder: Any, number: Any) -> Any:
    """Return a number four times."""
    first = builder.insert_element(
        ir.Constant(_FLOATS, ir.Undefined), number, ir.Constant(ir.IntType(32), 0)
    )
    places = ir.Constant(_INTS, [0, 0, 0, 0])
    return builder.shuffle_vector(first, ir.Constant(_FLOATS, ir.Undefined), places)


def _mix(builder: Any, a: Any, b: Any, share: Any) -> Any:
    return builder.fadd(a, builder.fmul(share, builder.fsub(b, a)))


@intrinsic  # type: ignore[untyped-decorator]
def between(context: Any, texels: Any, top: Any, low: Any, right: Any, down: Any) -> Any:
    """Return what lies between four texels (k, 4) of 16 bits: two of a row, two of the next."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        start = builder.bitcast(array.data, _SHORTS.as_pointer())

        def texel(index: Any) -> Any:
            stored = builder.load(builder.gep(start, [index]))
            stored.align = 2
            return builder.sitofp(builder.zext(stored, _INTS), _FLOATS)

        one = ir.Constant(ir.IntType(64), 1)
        across, along = _spread(builder, arguments[3]), _spread(builder, arguments[4])
        high, deep = (
            _mix(builder, texel(index), texel(builder.add(index, one)), across)
            for index in arguments[1:3]
        )
        return _mix(builder, high, deep, along)

    return Four(texels, types.int64, types.int64, types.float32, types.float32), generate


@intrinsic  # type: ignore[untyped-decorator]
def mixed(context: Any, a: Any, b: Any, share: Any) -> Any:
    """Return four numbers between two fours."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return _mix(builder, arguments[0], arguments[1], _spread(builder, arguments[2]))

    return Four(Four, Four, types.float32), generate


@intrinsic  # type: ignore[untyped-decorator]
def added(context: Any, a: Any, b: Any) -> Any:
    """Return the sums."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fadd(*arguments)

    return Four(Four, Four), generate


@intrinsic  # type: ignore[untyped-decorator]
def scaled(context: Any, a: Any, factor: Any) -> Any:
    """Return all four, times a number."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fmul(arguments[0], _spread(builder, arguments[1]))

    return Four(Four, types.float32), generate


@intrinsic  # type: ignore[untyped-decorator]
def none(context: Any) -> Any:
    """Return four times zero."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return ir.Constant(_FLOATS, [0.0] * 4)

    return Four(), generate


@intrinsic  # type: ignore[untyped-decorator]
def bits_of(context: Any, number: Any) -> Any:
    """Return how a number is stored, as a whole one."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.bitcast(arguments[0], ir.IntType(32))

    return types.int32(types.float32), generate


@intrinsic  # type: ignore[untyped-decorator]
def colour_of(context: Any, a: Any) -> Any:
    """Return the first three as numbers."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        places = [ir.Constant(ir.IntType(32), k) for k in range(3)]
        parts = [builder.extract_element(arguments[0], place) for place in places]
        return cgutils.pack_array(builder, parts)

    return types.UniTuple(types.float32, 3)(Four), generate
