"""What the kernel reads in memory: places in a few arrays of integers, mostly addresses."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array

Ints: TypeAlias = NDArray[np.integer]
Ground: TypeAlias = tuple[Ints, float]  # the record of a mesh or field, a size
Triangle: TypeAlias = tuple[int, Array]  # its number, and its corners and normal
Solid: TypeAlias = tuple[Array, Array, Array, Array]  # planes, points, scratch for two parts

# The table of the process: where MuJoCo keeps what in mjModel and mjData, and its own functions.
GEOM_TYPE, GEOM_DATA, GEOM_SIZE, GEOM_BOX = range(4)  # bytes from the start of mjModel
FIELD_START, FIELD_DATA = 4, 5
GEOM_POSITION, GEOM_ROTATION = 6, 7  # bytes from the start of mjData
OWN = 8  # MuJoCo's own function against type t stands at OWN + t
TABLE = OWN + 9
WHERE = "outrider_collision_table"  # the function that returns its address

# The record of a mesh or height field that stands in a world; the others' numbers are 0.
LEAVES, TRIANGLES, CORNERS = range(3)
VERTICES, FACES, ACROSS, BOXES = 3, 4, 5, 6  # addresses
ANCHORS, TICK, HULLS, DATA = 7, 8, 9, 10  # addresses; of the one mjData whose past is kept
SHEETS, SPACES = 11, 12  # addresses
HEIGHTS, TOPS, GRID = 13, 14, 15  # addresses: heights, the highest of blocks, five numbers
ROWS, COLUMNS, SINGLE = 16, 17, 18  # SINGLE: heights in single precision
RECORD = 19

# The record of a convex mesh that moves.
HULL_POINTS, HULL_PLANES, HULL_CORNERS, HULL_SIDES = range(4)  # two counts, two addresses
HULL = 4

# What stands in the heights of a field that is one of ours: 32 bits each.
MAGIC = 0x7FC0FFEE  # a number that is none: no height
# the magic, a check of the model's address, and the two halves of the record's address
