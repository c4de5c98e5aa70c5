"""The world that was built last, for simulations that follow one another in one process."""

from outrider.loader.world import build_world
from outrider.scene.scene import Scene
from outrider.sim.rig import static_scene
from outrider.specs.world import WorldSpec
from outrider.world.model import World


class BuiltWorlds:
    """Keeps one world with the scene of what never moves in it.

    Files that a world names are read when it is built: keep it only while they do not change.
    """

    def __init__(self) -> None:
        self._spec: WorldSpec | None = None
        self._built: tuple[World, Scene] | None = None

    def find(self, spec: WorldSpec) -> tuple[World, Scene]:
        """Return the world of a specification and its static scene."""
        if self._built is None or self._spec != spec:
            world = build_world(spec)
            self._spec, self._built = spec, (world, static_scene(world))
        return self._built
