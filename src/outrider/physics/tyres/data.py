"""The record arrays of the tyre kernels."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.scene import roughness
from outrider.world.materials import Material

Records: TypeAlias = NDArray[np.void]
Record: TypeAlias = Any  # one row of them; compiled code reads its fields as attributes
V3 = (np.float64, (3,))

TYRE = np.dtype(
    [
        # what it is
        ("body", np.int32),  # takes the force
        ("joint", np.int32),  # spins it, or -1
        ("base", np.int32),  # the vehicle's root body: tells which way is down
        ("model", np.int32),
        ("belt", np.int32),  # how many contacts its belt has, or 0 for a wheel
        ("hub", *V3),  # in the body's frame
        ("axle", *V3),
        ("radius", np.float64),
        ("half_width", np.float64),
        ("stiffness", np.float64),
        ("damping", np.float64),
        ("bristle_stiffness", np.float64),
        ("bristle_damping", np.float64),
        ("relaxation_length", np.float64),
        ("friction", np.float64),
        ("rolling_resistance", np.float64),
        ("mass", np.float64),  # what it carries
        ("spin_inertia", np.float64),
        # where it is now
        ("hub_world", *V3),
        ("axle_world", *V3),
        ("forward", *V3),
        ("down", *V3),
        # how it touches and moves now
        ("row_depth", np.float64, (2,)),  # how deep the ground presses into each row of rays
        ("along", *V3),  # rolling direction in the contact's plane
        ("arm", *V3),  # from the hub to the contact
        ("velocity", *V3),  # of the contact over the ground, without the wheel's spin
        ("spin", np.float64),  # of the body about the axle, rad/s
        ("roll_radius", np.float64),
        ("rolling", np.float64),  # of the wheel or belt, rad/s
        ("turning", np.float64),  # the same after motor and rolling resistance of this step
        ("drag", np.float64),  # rolling resistance, N m
        # what it feels: kept from step to step
        ("bristle", np.float64, (2,)),
        ("force", np.float64, (2,)),  # along and across the wheel, on the tyre
        ("load", np.float64),  # normal force
        # what it reports
        ("point", *V3),
        ("normal", *V3),
        ("slip", np.float64, (2,)),
        ("penetration", np.float64),
        ("ground", np.int32),  # the shape under it, or -1 in the air
        ("mover", np.int32),  # which moving part that shape belongs to, or -1
    ]
)

_NAMES = TYRE.names or ()
TYRE_STATE = _NAMES[_NAMES.index("hub_world") :]  # what changes from step to step

# What a ray may hit: the row of its material, and the body it moves with or -1.
SHAPE = np.dtype([("material", np.int32), ("body", np.int32)])

# A moving part that a tyre may touch, and whether one is near it now.
MOVER = np.dtype(
    [
        ("body", np.int32),
        ("model", np.int32),
        ("near", np.int32),
        ("centre", np.float64, (3,)),
        ("radius", np.float64),
    ]
)

GROUND = np.dtype(
    [
        ("friction", np.float64),
        ("lateral_ratio", np.float64),
        ("static_ratio", np.float64),
        ("rolling_resistance", np.float64),
        ("stiffness", np.float64),
        ("damping", np.float64),
        ("shear_stiffness", np.float64),
        ("amplitude", np.float64),
        ("tile", np.int32),
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class GroundTable:
    """Materials as the kernels see them: one row each, and the tiles of roughness they use."""

    rows: Records
    tiles: NDArray[np.float32]  # (k, CELLS, CELLS)

    @classmethod
    def of(cls, materials: list[Material], seed: int) -> "GroundTable":
        """Look the materials up, making each roughness tile once."""
        slopes = sorted({m.roughness.slope for m in materials if m.roughness.density > 0})
        tiles = [roughness.tile(slope, seed) for slope in slopes]
        rows = np.zeros(len(materials), GROUND)
        for row, m in zip(rows, materials, strict=True):
            rough = m.roughness.density > 0
            row["friction"], row["lateral_ratio"] = m.friction, m.lateral_ratio
            row["static_ratio"], row["rolling_resistance"] = m.static_ratio, m.rolling_resistance
            row["stiffness"], row["damping"] = m.stiffness, m.damping
            row["shear_stiffness"] = m.shear_ratio * m.stiffness
            row["amplitude"] = roughness.amplitude(m.roughness) if rough else 0.0
            row["tile"] = slopes.index(m.roughness.slope) if rough else 0
        return cls(rows, np.stack(tiles) if tiles else np.zeros((1, 2, 2), np.float32))
