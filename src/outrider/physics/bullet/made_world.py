"""An assembly in a client of its own, with what is worked out of it once."""

import weakref

import numpy as np

from outrider.core.errors import PhysicsError
from outrider.core.state import State
from outrider.physics.bullet.model import BulletModel, pybullet
from outrider.physics.bullet.overlapping import Overlapping
from outrider.physics.bullet.parts import StepParts
from outrider.physics.bullet.push_out import PushOut
from outrider.physics.bullet.saved import restore_bytes
from outrider.world.assembly import Assembly


class MadeWorld:
    """All as at the start: Bullet remembers nothing besides."""

    def __init__(self, assembly: Assembly, dt: float) -> None:
        if pybullet is None:
            raise PhysicsError(
                "the engine 'bullet' is not installed: pip install 'outrider[bullet]'"
            )
        self.client: int = pybullet.connect(pybullet.DIRECT)
        weakref.finalize(self, pybullet.disconnect, self.client)
        self._set_parameters(assembly, dt)
        self.model = BulletModel(assembly, self.client, dt)
        self.trees = {tree.rows[0]: tree for tree in self.model.trees}
        self.links = {
            joint: (tree.handle, link)
            for tree in self.model.trees
            for joint, link in zip(tree.joints, tree.links, strict=True)
        }
        self.parts = StepParts(self.model, dt, self.client)
        self.overlapping = Overlapping(self.model, self.client)
        self.push_out = PushOut(self.model, assembly, dt, self.client)

    def _set_parameters(self, assembly: Assembly, dt: float) -> None:
        pybullet.setGravity(*assembly.world.gravity, physicsClientId=self.client)
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=dt,
            numSubSteps=0,
            numSolverIterations=50,
            deterministicOverlappingPairs=1,
            restitutionVelocityThreshold=0.05,
            physicsClientId=self.client,
        )

    @classmethod
    def of_state(cls, assembly: Assembly, dt: float, state: State) -> "MadeWorld":
        """Make it as it was in an engine's state: so all goes on the same to the last bit."""
        made = cls(assembly, dt)
        made.restore(state)
        return made

    def restore(self, state: State) -> None:
        """Bring one in which nothing has touched yet to an engine's state."""
        if "bullet" in state:  # else nothing had touched there, either
            restore_bytes(self.client, state.rows("bullet", np.uint8).tobytes())
        if "shares" in state:
            self.push_out.restore(state.array("shares", self.push_out.shares))

    def may_restore(self, state: State) -> bool:
        """Return whether one in which nothing has touched yet may become as in a state."""
        own = self.push_out.shares
        return self.push_out.may_become(state.array("shares", own) if "shares" in state else own)
