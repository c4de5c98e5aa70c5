"""All tyres, belts and castors of all vehicles, in contact with the scene through rays."""

from typing import Protocol

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import Array, matrix_from_quaternion
from outrider.core.packed_arrays import PackedArrays
from outrider.physics.tyres.buried import Buried
from outrider.physics.tyres.data import MOVER, SHAPE, GroundTable, Records
from outrider.physics.tyres.kernels import RAYS, REACH, ROUGH_REACH, ROWS, Floats, Ints
from outrider.physics.tyres.near_movers import near_tyres
from outrider.physics.tyres.step_kernel import (
    BUMPED,
    BURIED,
    NEAR_MOVERS,
    NOT_CAST,
    TYRE_STEP,
    tyre_step,
)
from outrider.scene.packets import as_fields
from outrider.scene.scene import Part, Scene
from outrider.world.assembly import Assembly
from outrider.world.state import Loads, WorldState

_RING = np.arange(ROWS * RAYS, dtype=np.int32)  # the rays of a tyre
_NOWHERE = np.zeros((0, 3))


class Moved(Protocol):
    """What tyres know of an engine."""

    state: WorldState
    loads: Loads
    in_parts: bool


class Tyres:
    """Rows of TYRE; ``apply`` adds their forces to an engine's loads."""

    def __init__(self, rows: Records, scene: Scene, seed: int) -> None:
        self.rows = rows
        self.scene = scene
        self._ground = GroundTable.of(scene.materials, seed)
        self._reach = ROUGH_REACH if self._ground.rows["amplitude"].any() else REACH
        self._make_rays(len(rows) * ROWS * RAYS)
        self._buried = Buried(len(rows))
        self._number_shapes()
        self.bumped = False  # whether one is pressed against something steep since the last step
        self._engine: Moved | None = None
        self._predicted: Array | None = None

    def _make_rays(self, count: int) -> None:
        self._origins = np.zeros((count, 3), np.float32)
        self._directions = np.zeros((count, 3), np.float32)
        self._distance = np.zeros(count, np.float32)
        self._shape = np.full(count, -1, np.int32)
        self._near = np.zeros(len(self.rows), np.int32)

    def _number_shapes(self) -> None:
        """Give all shapes of the scene one row of numbers: static ones first, then each mover's."""
        parts: list[Part] = [self.scene.static] if self.scene.static else []
        parts += self.scene.movers
        self._offsets = np.cumsum([0, *(len(part.materials) for part in parts)])
        if self.scene.static:
            self._offsets = self._offsets[1:]
        self._shapes = np.zeros(max(1, sum(len(part.materials) for part in parts)), SHAPE)
        first = 0
        for part in parts:
            rows = self._shapes[first : first + len(part.materials)]
            rows["material"], rows["body"] = part.materials, part.body
            first += len(rows)
        self.shape_names = tuple(name for part in parts for name in part.names)
        self._movers = np.zeros(len(self.scene.movers), MOVER)
        for row, part in zip(self._movers, self.scene.movers, strict=True):
            row["body"], row["model"] = part.body, part.model
            row["centre"], row["radius"] = part.centre, part.radius
        own = {int(model) for model in self.rows["model"]}
        self._vehicles = _vehicles(self.rows)
        self._strangers = len(own) > 1 or any(part.model not in own for part in self.scene.movers)

    def apply(self, engine: Moved, predicted: Array, dt: float) -> None:
        """Feel the ground; ``predicted`` are joint speeds after the motors' torque of this step."""
        if self._engine is not engine or self._predicted is not predicted:
            self._bind(engine, predicted, dt)
        before = self.rows["hub_world"].copy() if engine.in_parts else _NOWHERE
        left = tyre_step(self._bundle.address, False, BURIED if engine.in_parts else 0)
        if left and left != BUMPED:
            self._look_closer(engine.state, before, left, dt)
            left = tyre_step(self._bundle.address, True, 0)
        self.bumped = left == BUMPED

    def ground_under(self, rows: Records) -> Records:
        """Return the ground under each of some tyres; any under those in the air."""
        ground: Records = self._ground.rows[self._shapes["material"][rows["ground"]]]
        return ground

    def _bind(self, engine: Moved, predicted: Array, dt: float) -> None:
        """Prepare the compiled step for an engine's arrays, which stay where they are."""
        self._engine, self._predicted, static = engine, predicted, self.scene.static
        packets = static.surface.packets(self._runs()) if static else None
        self._bundle = PackedArrays(
            TYRE_STEP,
            tyres=self.rows,
            bodies=engine.state.bodies,
            joints=engine.state.joints,
            predicted=predicted,
            body_loads=engine.loads.bodies,
            joint_loads=engine.loads.joints,
            origins=self._origins,
            directions=self._directions,
            distance=self._distance,
            shape=self._shape,
            shapes=self._shapes,
            ground=self._ground.rows,
            tiles=self._ground.tiles,
            cells=self._ground.tiles.shape[1],
            deep_shape=self._buried.shape,
            deep_depth=self._buried.depth,
            deep_normal=self._buried.normal,
            movers=self._movers if self._strangers else self._movers[:0],
            vehicles=self._vehicles,
            reach=self._reach,
            dt=dt,
            **as_fields(packets),
        )

    def _runs(self) -> list[Ints]:
        """Return the rays of each tyre by their angle: those of both rows are alike."""
        ring = _RING.reshape(ROWS, RAYS).T.ravel()
        return [first + ring for first in range(0, len(self._shape), len(ring))]

    def _look_closer(self, state: WorldState, before: Floats, left: int, dt: float) -> None:
        """Look at what is too rare or too different for the compiled step."""
        static = self.scene.static
        if left & BURIED and static is not None:
            self._buried.look(self.rows, state.bodies, before, static.surface, dt)
        if left & NOT_CAST:
            self._cast_static()
        if left & NEAR_MOVERS:
            self._cast_movers(state)

    def _cast_static(self) -> None:
        if self.scene.static is None:
            self._shape[:] = -1
            return
        rays = self._origins, self._directions, self._distance
        found = self.scene.static.surface.cast_raw(*rays, alike=True)
        self._distance[:], self._shape[:] = found["tfar"], found["geomID"]

    def _cast_movers(self, state: WorldState) -> None:
        """Feel moving things too; a vehicle does not stand on its own parts."""
        distance, shape = self._distance, self._shape
        for index in np.flatnonzero(self._movers["near"]).tolist():
            part = self.scene.movers[index]
            rays = self._rays_near(index, state)
            body = state.bodies[part.body]
            rotation = matrix_from_quaternion(body["rotation"]).astype(np.float32)
            start = (self._origins[rays] - body["position"].astype(np.float32)) @ rotation
            hits = part.surface.cast(start, self._directions[rays] @ rotation, distance[rays])
            nearer = hits.shape >= 0
            distance[rays[nearer]] = hits.distance[nearer]
            shape[rays[nearer]] = hits.shape[nearer] + self._offsets[index]

    def _rays_near(self, mover: int, state: WorldState) -> Ints:
        """Return the rays of the tyres that might touch a moving part."""
        part = self._movers[mover]
        count = near_tyres(self.rows, state.bodies, part, self._reach, self._near)
        rays: Ints = np.add.outer(self._near[:count] * len(_RING), _RING).ravel()
        return rays


def _vehicles(rows: Records) -> Ints:
    """Return the model, the first tyre and the end of each run of tyres of one vehicle."""
    models = rows["model"]
    starts = np.flatnonzero(np.diff(models, prepend=-2)).astype(np.int32)
    ends = np.append(starts[1:], np.int32(len(rows)))
    return np.ascontiguousarray(np.column_stack([models[starts], starts, ends[: len(starts)]]))


def check_step(rows: Records, assembly: Assembly, step_s: float) -> None:
    """Refuse a step in which a tyre's spring could not be followed."""
    for row in rows:
        longest = float(np.sqrt(row["mass"] / row["stiffness"]))
        if step_s > longest:
            name = assembly.body_name(int(row["body"]))
            raise ConfigError(
                f"physics.step_s: {step_s} s is too long for the tyre of '{name}', "
                f"which needs at most {longest:.4f} s"
            )
