"""What all components of a simulation share: the simulation, and the things in it by name."""

from outrider.components.entity import Entity
from outrider.components.entity_frame import find_entity
from outrider.components.host import Host
from outrider.components.joint import JointHandle
from outrider.core.errors import ComponentError


class ComponentScope:
    """Finds things, and lets nobody change anything while viewers are drawn for."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.drawing = False
        self.may_remove = False  # somebody carries removals out
        self.removals: list[str] = []  # models, after this step
        self._things: dict[str, Entity] = {}
        self._joints: dict[int, JointHandle] = {}

    def acting(self) -> None:
        """Refuse to change anything in ``draw``: a run must not depend on its viewers."""
        if self.drawing:
            raise ComponentError("draw must not change anything: the run would depend on viewers")

    def thing(self, name: str) -> Entity:
        """Return a model, link, joint or sensor."""
        if name not in self._things:
            self._things[name] = Entity(self, find_entity(self.host, name))
        return self._things[name]

    def joint(self, index: int) -> JointHandle:
        """Return a joint by its number."""
        if index not in self._joints:
            self._joints[index] = JointHandle(self, index)
        return self._joints[index]
