"""Four floats at once in a SIMD register, a colour and its opacity, for compiled code."""
# ruff: noqa: ARG001 - numba says which arguments there are

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import models, register_model

from outrider.core.compiled import intrinsic
from outrider.core.untyped import Llvm

_FLOATS = ir.VectorType(ir.FloatType(), 4)
_SHORTS = ir.VectorType(ir.IntType(16), 4)
_INTS = ir.VectorType(ir.IntType(32), 4)
WHITE = 65535  # what is stored for 1
SHARE = np.float32(1.0 / WHITE)


class Float4Type(types.Type):  # type: ignore[misc]
    """The type of four numbers."""

    def __init__(self) -> None:
        super().__init__(name="Float4")


Float4: Llvm = Float4Type()


@register_model(Float4Type)
class _Float4Model(models.PrimitiveModel):  # type: ignore[misc]
    """A vector register."""

    def __init__(self, manager: Llvm, kind: Llvm) -> None:
        super().__init__(manager, kind, _FLOATS)


def _spread(builder: Llvm, number: Llvm) -> Llvm:
    """Return a number four times."""
    first = builder.insert_element(
        ir.Constant(_FLOATS, ir.Undefined), number, ir.Constant(ir.IntType(32), 0)
    )
    lanes = ir.Constant(_INTS, [0, 0, 0, 0])
    return builder.shuffle_vector(first, ir.Constant(_FLOATS, ir.Undefined), lanes)


def _mix(builder: Llvm, a: Llvm, b: Llvm, share: Llvm) -> Llvm:
    return builder.fadd(a, builder.fmul(share, builder.fsub(b, a)))


@intrinsic
def between(
    context: Llvm,
    texels: Llvm,
    top: Llvm,
    low: Llvm,
    right: Llvm,
    down: Llvm,
) -> Llvm:
    """Return what lies between four texels (k, 4) of 16 bits: two of a row, two of the next."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, arguments: Llvm) -> Llvm:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        start = builder.bitcast(array.data, _SHORTS.as_pointer())

        def texel(index: Llvm) -> Llvm:
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

    return Float4(texels, types.int64, types.int64, types.float32, types.float32), generate


@intrinsic
def mixed(context: Llvm, a: Llvm, b: Llvm, share: Llvm) -> Llvm:
    """Return the vector between two, by a share."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, arguments: Llvm) -> Llvm:
        return _mix(builder, arguments[0], arguments[1], _spread(builder, arguments[2]))

    return Float4(Float4, Float4, types.float32), generate


@intrinsic
def added(context: Llvm, a: Llvm, b: Llvm) -> Llvm:
    """Return the sum of two vectors."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, arguments: Llvm) -> Llvm:
        return builder.fadd(*arguments)

    return Float4(Float4, Float4), generate


@intrinsic
def scaled(context: Llvm, a: Llvm, factor: Llvm) -> Llvm:
    """Return a vector times a number."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, arguments: Llvm) -> Llvm:
        return builder.fmul(arguments[0], _spread(builder, arguments[1]))

    return Float4(Float4, types.float32), generate


@intrinsic
def none(context: Llvm) -> Llvm:
    """Return the zero vector."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, arguments: Llvm) -> Llvm:
        return ir.Constant(_FLOATS, [0.0] * 4)

    return Float4(), generate


@intrinsic
def bits_of(context: Llvm, number: Llvm) -> Llvm:
    """Return how a number is stored, as a whole one."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, arguments: Llvm) -> Llvm:
        return builder.bitcast(arguments[0], ir.IntType(32))

    return types.int32(types.float32), generate


@intrinsic
def colour_of(context: Llvm, a: Llvm) -> Llvm:
    """Return the first three components."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, arguments: Llvm) -> Llvm:
        lanes = [ir.Constant(ir.IntType(32), k) for k in range(3)]
        parts = [builder.extract_element(arguments[0], lane) for lane in lanes]
        return cgutils.pack_array(builder, parts)

    return types.UniTuple(types.float32, 3)(Float4), generate
