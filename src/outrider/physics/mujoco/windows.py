"""Patches of a ground too large for the engine: one follows each free body."""

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import AnyArray, Array
from outrider.core.structure import Data
from outrider.physics.mujoco.height_field import QUARTER, shape_of, shares
from outrider.world.shapes import MappedField

CELLS = 64  # a side: what chassis and things meet; wheels and rays have the whole ground
EVERY = 16  # cells: pieces lie on a grid as wide, so that where one lies depends on the body alone
_BASE = 10.0  # m of solid ground below the lowest point


class Windows:
    """Height fields in bodies that MuJoCo lets one move; nothing is kept from step to step."""

    def __init__(self, field: MappedField) -> None:
        self.field = field
        rows, columns = field.heights.shape
        self._cells = min(CELLS, rows - 1), min(CELLS, columns - 1)
        self._cell = field.size[0] / (rows - 1), field.size[1] / (columns - 1)
        self._span = max(field.high - field.low, 1e-6)
        self.moves = 0  # how often a piece was laid elsewhere
        self._names: list[str] = []
        self._bodies: list[int] = []  # our rows
        self._rows: list[tuple[int, int, slice]] = []
        self._corners: NDArray[np.int64] = np.zeros((0, 2), np.int64)

    def add(self, spec: mujoco.MjSpec, body: int) -> tuple[mujoco.MjsGeom, Data]:
        """Add the piece that follows a body; return its handle and what its geom is."""
        name = f"window{body}"
        n_x, n_y = self._cells
        size = [n_y * self._cell[1] / 2, n_x * self._cell[0] / 2, self._span, _BASE]
        flat = np.zeros((n_x + 1, n_y + 1))
        flat[0, 0] = 1.0
        spec.add_hfield(name=name, size=size, userdata=flat.ravel(), **shape_of(flat))
        handle = spec.worldbody.add_body(name=name, mocap=True, pos=[0, 0, self.field.low])
        self._names.append(name)
        self._bodies.append(body)
        turned = np.roll(QUARTER.rotation, 1)
        return handle, {"type": mujoco.mjtGeom.mjGEOM_HFIELD, "hfieldname": name, "quat": turned}

    def bind(self, model: mujoco.MjModel) -> None:
        """Find the pieces in the compiled model."""
        for name in self._names:
            field = model.hfield(name).id
            first = model.hfield_adr[field]
            count = model.hfield_nrow[field] * model.hfield_ncol[field]
            slot = model.body_mocapid[model.body(name).id]
            self._rows.append((int(field), int(slot), slice(int(first), int(first + count))))
        self._corners = np.full((len(self._rows), 2), -1, np.int64)

    def forget(self) -> None:
        """Fill all pieces anew next time: what MuJoCo had of them is gone."""
        self._corners[:] = -1

    def follow(self, model: object, data: object, bodies: AnyArray) -> bool:
        """Put each piece under its body, if that has left its middle; tell if any was moved."""
        moved = False
        for k, body in enumerate(self._bodies):
            corner = self._corner(bodies["position"][body])
            if corner != (self._corners[k, 0], self._corners[k, 1]):
                self._corners[k] = corner
                self._fill(model, data, k, corner)
                moved = True
                self.moves += 1
        return moved

    def _corner(self, position: Array) -> tuple[int, int]:
        """Return the first row and column of the piece for a place."""
        corner = []
        for axis in (0, 1):
            count, cell = self.field.heights.shape[axis], self._cell[axis]
            at = (float(position[axis]) + self.field.size[axis] / 2) / cell
            middle = EVERY * round(at / EVERY) if np.isfinite(at) else 0
            room = count - 1 - self._cells[axis]
            corner.append(int(min(max(middle - self._cells[axis] // 2, 0), room)))
        return corner[0], corner[1]

    def _fill(
        self, model: mujoco.MjModel, data: mujoco.MjData, k: int, corner: tuple[int, int]
    ) -> None:
        _, slot, span = self._rows[k]
        (i, j), (n_x, n_y) = corner, self._cells
        heights = self.field.heights[i : i + n_x + 1, j : j + n_y + 1].astype(np.float64)
        model.hfield_data[span] = shares(heights, self.field.low, self._span)
        x = (i + n_x / 2) * self._cell[0] - self.field.size[0] / 2
        y = (j + n_y / 2) * self._cell[1] - self.field.size[1] / 2
        data.mocap_pos[slot] = x, y, self.field.low
