"""The function that MuJoCo calls: a mesh or height field of ours, or one of another model."""
# ruff: noqa: ARG001 - numba says which arguments there are

from pathlib import Path

from llvmlite import ir
from numba import cfunc, types
from numba.extending import intrinsic

from outrider.core.address import doubles, half_words, words
from outrider.core.compiled import version_of
from outrider.core.untyped import Llvm
from outrider.physics.triangles import records
from outrider.physics.triangles.collide import collide, find
from outrider.physics.triangles.shapes import BOX, CAPSULE, CYLINDER, MESH, SPHERE

KINDS = (SPHERE, CAPSULE, CYLINDER, BOX, MESH)
_PARTS = (
    "apart",
    "ball",
    "collide",
    "collision_callback",
    "cutting",
    "facet",
    "field",
    "manifold",
    "records",
    "search",
    "shapes",
    "sight",
    "solid",
    "spaces",
    "ways_out",
    "../../scene/box_tree",
    "../../world/block_tops",
)
_MOST = 50  # contacts that MuJoCo takes
_SIGNATURE = types.int32(
    types.int64, types.int64, types.int64, types.int32, types.int32, types.float64
)
_where = types.ExternalFunction(records.WHERE, types.int64())


@intrinsic  # type: ignore[untyped-decorator]
def _call(
    context: Llvm,
    at: Llvm,
    model: Llvm,
    data: Llvm,
    contacts: Llvm,
    one: Llvm,
    two: Llvm,
    margin: Llvm,
) -> Llvm:
    """Call a collision function at an address."""

    def generate(context: Llvm, builder: Llvm, signature: Llvm, arguments: Llvm) -> Llvm:
        kinds = [context.get_value_type(kind) for kind in signature.args[1:]]
        kind = ir.FunctionType(ir.IntType(32), kinds)
        return builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), arguments[1:])

    return types.int32(at, model, data, contacts, one, two, margin), generate


def collision_callback() -> Llvm:
    """Return the function for MuJoCo; its code is kept on disk as long as no file here changes."""
    folder = Path(__file__).parent
    version = version_of(*(f"{folder / name}.py" for name in _PARTS))

    @cfunc(_SIGNATURE, cache=True, error_model="numpy")  # type: ignore[untyped-decorator]
    def enter(
        model: int, data: int, contacts: int, mesh: int, geom: int, margin: float
    ) -> int:  # pragma: no cover - compiled
        if version == 0:  # never: what a function refers to is part of the name it is kept under
            return 0
        table = words(_where(), records.TABLE)
        record = find(table, model, mesh)
        if record == 0:
            kind = half_words(words(model + table[records.GEOM_TYPE], 1)[0], geom + 1)[geom]
            return int(_call(table[records.OWN + kind], model, data, contacts, mesh, geom, margin))
        return int(collide(table, record, model, data, doubles(contacts, 10 * _MOST), mesh, geom))

    return enter
