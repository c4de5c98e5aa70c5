"""Static meshes and height fields of a model: boxes to MuJoCo, triangles to our kernel."""

from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import PhysicsError
from outrider.core.frames import AnyArray, Array, Pose
from outrider.core.structure import Data
from outrider.physics.triangles import records
from outrider.physics.triangles.hulls import Hull, hull_of
from outrider.physics.triangles.table import install
from outrider.physics.triangles.tree import TriangleTree, tree_of
from outrider.world.block_tops import block_tops
from outrider.world.shapes import HeightField, MappedField, Mesh

AROUND = 0.5  # m: who was so near in the last step is looked at, even if it has flown through
_NEVER = -10.0  # the tick of an anchor that is none
_BASE = 1.0  # m of ground below the lowest point of a height field, at least
_FLAT = np.array([[0.0, 0.0], [0.0, 1.0]])


@dataclass(frozen=True, slots=True, eq=False)
class _Surface:
    """What the kernel reads of a mesh or height field: by places in its record."""

    name: str
    numbers: dict[int, int]
    arrays: dict[int, AnyArray]


class Meshes:
    """Trees, and what bodies have passed; one for each model, as it knows its geoms."""

    def __init__(self) -> None:
        self._trees: dict[int, tuple[Mesh, TriangleTree | None]] = {}  # by the mesh's own number
        self._surfaces: list[_Surface] = []
        self._records: list[NDArray[np.int64]] = []
        self._hulls: list[Hull] = []
        self._hull_table = np.zeros(0, np.int64)
        self.ticks = np.zeros(1, np.int64)
        self.anchors = np.zeros((0, 0, 4))
        self._spaces = np.zeros((0, 0, 6))  # boxes without triangles: no state, they stay true

    def add(self, spec: mujoco.MjSpec, mesh: Mesh, pose: Pose) -> tuple[Data, Pose] | None:
        """Return what geom a mesh becomes, and where; None if it has no triangles."""
        if id(mesh) not in self._trees:
            self._trees[id(mesh)] = mesh, tree_of(mesh)
        tree = self._trees[id(mesh)][1]
        if tree is None:
            return None
        x, y, z = np.maximum(tree.half, 1e-3) + AROUND
        numbers, arrays = _of_tree(tree)
        return self._add(spec, [x, y, z, z], numbers, arrays), pose @ Pose(tree.middle)

    def add_field(
        self, spec: mujoco.MjSpec, shape: HeightField | MappedField, pose: Pose
    ) -> tuple[Data, Pose]:
        """Return what geom a height field becomes, and where."""
        mapped = isinstance(shape, MappedField)
        tops = shape.tops[0] if isinstance(shape, MappedField) else block_tops(shape.heights)
        low = shape.low if isinstance(shape, MappedField) else float(shape.heights.min())
        (rows, columns), (x, y) = shape.heights.shape, shape.size
        grid = np.array([-x / 2, -y / 2, x / (rows - 1), y / (columns - 1), low])
        numbers = {records.ROWS: rows, records.COLUMNS: columns, records.SINGLE: int(mapped)}
        arrays = {records.HEIGHTS: shape.heights, records.TOPS: tops, records.GRID: grid}
        span = float(tops.max()) - low
        size = [x / 2, y / 2, span + AROUND, max(_BASE, span)]
        return self._add(spec, size, numbers, arrays), pose @ Pose(np.array([0.0, 0.0, low]))

    def _add(
        self,
        spec: mujoco.MjSpec,
        size: list[float],
        numbers: dict[int, int],
        arrays: dict[int, AnyArray],
    ) -> Data:
        """Add a flat field, of which MuJoCo sees only the box around it."""
        name = f"triangles{len(self._surfaces)}"
        spec.add_hfield(name=name, size=size, userdata=_FLAT.ravel(), nrow=2, ncol=2)
        self._surfaces.append(_Surface(name, numbers, arrays))
        return {"type": mujoco.mjtGeom.mjGEOM_HFIELD, "hfieldname": name}

    def bind(self, model: mujoco.MjModel, data: mujoco.MjData | None) -> None:
        """Tell the kernel what is where, and in which data bodies remember where they were."""
        if not self._surfaces:
            return
        install()
        self._find_hulls(model)
        self.anchors = np.zeros((len(self._surfaces), model.ngeom, 4))
        self._spaces = np.zeros((len(self._surfaces), model.ngeom, 6))
        self.forget()
        for i, surface in enumerate(self._surfaces):
            record = self._record(surface, self.anchors[i], self._spaces[i], data)
            self._records.append(record)
            start = model.hfield_adr[model.hfield(surface.name).id]
            place = record.ctypes.data
            mark = (records.MAGIC, model._address >> 4, place, place >> 32)
            words = np.array([value & 0xFFFFFFFF for value in mark], np.uint32)
            model.hfield_data[start : start + 4] = words.view(np.float32)

    def _find_hulls(self, model: mujoco.MjModel) -> None:
        self._hull_table = np.zeros(model.ngeom, np.int64)
        known: dict[int, Hull] = {}
        for geom in np.flatnonzero(model.geom_type == mujoco.mjtGeom.mjGEOM_MESH):
            mesh = int(model.geom_dataid[geom])
            if mesh not in known:
                known[mesh] = hull_of(model, mesh)
            self._hull_table[geom] = known[mesh].record.ctypes.data
        self._hulls = list(known.values())

    def _record(
        self, surface: _Surface, anchors: Array, spaces: Array, data: mujoco.MjData | None
    ) -> NDArray[np.int64]:
        record = np.zeros(records.RECORD, np.int64)
        for place, number in surface.numbers.items():
            record[place] = number
        own: dict[int, AnyArray] = {
            records.ANCHORS: anchors,
            records.SPACES: spaces,
            records.TICK: self.ticks,
            records.HULLS: self._hull_table,
        }
        for place, array in {**surface.arrays, **own}.items():
            record[place] = array.ctypes.data
        record[records.DATA] = 0 if data is None else data._address
        return record

    def tick(self) -> None:
        """Count a step: only anchors of the last one hold."""
        self.ticks[0] += 1

    def forget(self) -> None:
        """Let no body remember where it was: something was put elsewhere."""
        self.ticks[0] = 0
        self.anchors[:, :, 3] = _NEVER

    def saved(self) -> Array:
        """Return the anchors that hold, a row each: mesh, geom and where it is."""
        mesh, geom = np.nonzero(self.anchors[:, :, 3] == self.ticks[0])
        rows: Array = np.column_stack([mesh, geom, self.anchors[mesh, geom, :3]])
        return rows

    def restore(self, rows: Array) -> None:
        """Put anchors back."""
        self.forget()
        if rows.ndim != 2 or rows.shape[1] != 5 or not np.isfinite(rows).all():
            raise PhysicsError(
                "a saved state does not fit: its anchors are no rows of five numbers"
            )
        mesh, geom = rows[:, 0].astype(np.intp), rows[:, 1].astype(np.intp)
        if len(rows) and (
            rows[:, :2].min() < 0
            or mesh.max() >= self.anchors.shape[0]
            or geom.max() >= self.anchors.shape[1]
        ):
            raise PhysicsError("a saved state does not fit: it has other meshes or bodies")
        self.anchors[mesh, geom, :3] = rows[:, 2:]
        self.anchors[mesh, geom, 3] = 0.0


def _of_tree(tree: TriangleTree) -> tuple[dict[int, int], dict[int, AnyArray]]:
    """Return the numbers and arrays of a mesh."""
    numbers = {
        records.LEAVES: (len(tree.boxes) + 1) // 2,
        records.TRIANGLES: len(tree.faces),
        records.CORNERS: len(tree.vertices),
    }
    return numbers, {
        records.VERTICES: tree.vertices,
        records.FACES: tree.faces,
        records.ACROSS: tree.across,
        records.SHEETS: tree.sheets,
        records.BOXES: tree.boxes,
    }
