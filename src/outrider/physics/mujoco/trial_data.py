"""What would be inside what in a state that is only tried: in MuJoCo's data of its own."""

from threading import Lock

import mujoco
import numpy as np

from outrider.physics.engine import Overlap
from outrider.physics.mujoco.model import MujocoModel
from outrider.physics.mujoco.saved import set_joints, set_roots
from outrider.world.state import WorldState


class TrialData:
    """Finds overlaps beside an engine's own data, with the same model."""

    def __init__(self, names: MujocoModel) -> None:
        self._names = names
        self._data = mujoco.MjData(names.model)  # in the loop that would take long
        self._turn = Lock()  # places are looked for beside the loop
        own = (names.roots["qpos"] >= 0) | (names.roots["slot"] >= 0)
        self._roots = np.flatnonzero(own)
        self._joints = np.arange(len(names.joint_rows))
        self._velocity = np.zeros((max(1, names.model.nmocap), 6))  # of scripted bodies: not used

    def overlaps(self, state: WorldState, least: float, model: int | None) -> list[Overlap]:
        """Return what is inside what in a state."""
        with self._turn:
            self._find(state)
            return self._names.overlaps(self._data, least, model)

    def _find(self, state: WorldState) -> None:
        data = self._data
        set_roots(self._names, data, self._velocity, self._roots, state.bodies[self._roots])
        joints = state.joints["position"], state.joints["velocity"]
        set_joints(self._names, data, self._joints, *joints)
        mujoco.mj_kinematics(self._names.model, data)
        mujoco.mj_comPos(self._names.model, data)
        mujoco.mj_collision(self._names.model, data)
