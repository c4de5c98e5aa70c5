"""Our kernel in MuJoCo's table of collision functions, for the whole process and all its models."""

import ctypes
from functools import lru_cache

import llvmlite.binding as llvm
import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import PhysicsError
from outrider.physics.mujoco_library import library
from outrider.physics.triangles import records
from outrider.physics.triangles.collision_callback import KINDS, collision_callback

_FIELD, _TYPES = 1, 9  # the row of height fields; rows and columns
_REACH = 65536  # words of mjModel and mjData that are searched for their arrays
_TRIED = """
<mujoco><asset><hfield name="f" nrow="2" ncol="2" size="1 1 1 1" elevation="0 0 0 1"/></asset>
<worldbody><geom type="hfield" hfield="f"/>
<body><freejoint/><geom size="1"/></body></worldbody></mujoco>
"""

Words = NDArray[np.int64]


@lru_cache(maxsize=1)
def install() -> tuple[object, ...]:
    """Put the kernel into the table, once in a process; return what must stay in memory."""
    slots = (ctypes.c_void_p * _TYPES**2).in_dll(library(), "mjCOLLISIONFUNC")
    table = _layout()
    engine = _tell(table.ctypes.data)
    enter = collision_callback()
    for kind in KINDS:
        table[records.OWN + kind] = slots[_FIELD * _TYPES + kind] or 0
        slots[_FIELD * _TYPES + kind] = enter.address
    return table, engine, enter


def _tell(address: int) -> object:
    """Make the function that tells compiled code where the table is in this process."""
    code = f"define i64 @{records.WHERE}() {{ ret i64 {address} }}"
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(code), machine)
    engine.finalize_object()
    llvm.add_symbol(records.WHERE, engine.get_function_address(records.WHERE))
    return engine


def _layout() -> Words:
    """Find where mjModel and mjData keep what: no header tells it to a program without a compiler.

    Arrays without a number share their address with the next one, so the last place counts.
    """
    model = mujoco.MjModel.from_xml_string(_TRIED)
    data = mujoco.MjData(model)
    table = np.zeros(records.TABLE, np.int64)
    wanted = {
        records.GEOM_TYPE: (model, model.geom_type),
        records.GEOM_DATA: (model, model.geom_dataid),
        records.GEOM_SIZE: (model, model.geom_size),
        records.GEOM_BOX: (model, model.geom_aabb),
        records.FIELD_START: (model, model.hfield_adr),
        records.FIELD_DATA: (model, model.hfield_data),
        records.GEOM_POSITION: (data, data.geom_xpos),
        records.GEOM_ROTATION: (data, data.geom_xmat),
    }
    for key, (owner, array) in wanted.items():
        table[key] = _place_in(owner._address, array.ctypes.data)
    return table


def _place_in(start: int, address: int) -> int:
    """Return how many bytes after its start a struct has an address."""
    content = (ctypes.c_int64 * _REACH).from_address(start)
    for i in range(_REACH):
        if content[i] == address:
            while content[i + 1] == address:
                i += 1  # noqa: PLW2901
            return 8 * i
    raise PhysicsError(
        f"MuJoCo {mujoco.__version__} has an unknown memory layout, so meshes cannot"
        " collide: install another version (4.0 was tried), or use --engine bullet"
    )
