"""The world as a Foxglove scene: static geometry, sent once, as triangles."""

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from outrider.bridges.bridge import Outside
from outrider.bridges.foxglove.sdk import sdk
from outrider.messages.topics import WORLD_FRAME
from outrider.render.texture.mipmaps import texture_of
from outrider.world.assembly import assemble, seen
from outrider.world.materials import Material
from outrider.world.model import Geometry, World
from outrider.world.shapes import Plane
from outrider.world.tessellate import tessellate

if TYPE_CHECKING:
    from foxglove.messages import SceneUpdate, TriangleListPrimitive

_MOST_FACES = 200_000  # beyond, a browser has no joy with it
_PLANE_M = 200.0  # of an endless floor this much is shown


class SceneTopic:
    """Sends the scene to clients that show it; created on demand."""

    topic = "/scene"

    def __init__(self, context: object, outside: Outside) -> None:
        self._channel = sdk().channels.SceneUpdateChannel(self.topic, context=context)
        self._outside = outside
        self._again = threading.Event()

    def resend(self) -> None:
        """Send it at the next look."""
        self._again.set()

    def look(self) -> None:
        """Send it if it is due."""
        if not self._again.is_set() or not self._channel.has_sinks():
            return
        self._again.clear()
        world = self._outside.world()
        if world is not None:
            self._channel.log(scene_of(world), log_time=self._outside.now_ns())


def scene_of(world: World) -> "SceneUpdate":
    """Return the static part of a world as a SceneUpdate, one entity for each of its parts."""
    kinds = sdk().messages
    still = tuple(model for model in world.models if model.mobility == "static")
    left = _MOST_FACES
    entities = []
    for part in assemble(replace(world, models=still)).static:
        lists = []
        for geometry in seen(part):
            primitive, faces = _triangles(geometry)
            if faces <= left:
                left -= faces
                lists.append(primitive())
        if lists:
            entities.append(
                kinds.SceneEntity(
                    id=part.name,
                    frame_id=WORLD_FRAME,
                    frame_locked=True,  # else it is looked for where its frame was at time 0
                    triangles=lists,
                )
            )
    update: SceneUpdate = kinds.SceneUpdate(entities=entities)
    return update


def _triangles(geometry: Geometry) -> "tuple[Callable[[], TriangleListPrimitive], int]":
    """Return what makes a list of triangles, and how many they are."""
    shape = geometry.shape
    if isinstance(shape, Plane):
        shape = Plane(min(shape.size, _PLANE_M))
    mesh = tessellate(shape)
    kinds = sdk().messages

    def make() -> "TriangleListPrimitive":
        corners = geometry.pose.apply(np.asarray(mesh.vertices, np.float64)).tolist()
        red, green, blue, alpha = _colour(geometry.material)
        made: TriangleListPrimitive = kinds.TriangleListPrimitive(
            points=[kinds.Point3(x=x, y=y, z=z) for x, y, z in corners],
            indices=np.asarray(mesh.faces).ravel().tolist(),
            color=kinds.Color(r=red, g=green, b=blue, a=alpha),
        )
        return made

    return make, len(mesh.faces)


def _colour(material: Material) -> list[float]:
    """Return a material's colour; of a texture its mean, for triangles here have no images."""
    colour = np.array(material.colour, np.float64)
    if material.texture:
        colour[:3] = texture_of(material.texture).levels[-1][..., :3].mean((0, 1)) / 255.0
    return [float(value) for value in colour]
