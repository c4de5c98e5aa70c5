"""The protocol of a renderer, the registered ones, and the choice between them."""

from __future__ import annotations

from functools import cache
from typing import Protocol

from outrider.core.errors import OutriderError, RenderError
from outrider.core.frames import AnyArray
from outrider.core.process.notices import say_once
from outrider.core.registry import Registry
from outrider.render.following import FollowingRenderer, wanders
from outrider.render.picture import Picture
from outrider.render.shot import Shot
from outrider.scene.scene import Scene
from outrider.world.assembly import assemble
from outrider.world.model import World

RENDERERS = Registry(
    "renderer",
    {
        "gl": "outrider.render.gl.renderer:GlRenderer",
        "embree": "outrider.render.embree.renderer:EmbreeRenderer",
    },
)
ORDER = ("gl", "embree")  # the faster first


class Ticket(Protocol):
    """Images that are being rendered."""

    def pictures(self) -> list[Picture]:
        """Wait until they are ready and return them, in the order of the shots."""


class Renderer(Protocol):
    """Renders images of one scene; made by ``Class(scene)``, which raises RenderError on failure.

    It is used by one thread, but works on its own: ``begin`` returns at once.
    """

    name: str

    @property
    def description(self) -> str:
        """What it renders with, for ``outrider doctor``."""

    def begin(self, shots: list[Shot], bodies: AnyArray) -> Ticket:
        """Start rendering images of the bodies (dtype BODY, as in the state) as they are now.

        Behind a rolling shutter there are several rows (times, bodies), evenly spread over its
        read-out. The poses are copied: the simulation may continue.
        """

    def close(self) -> None:
        """Release threads, memory and contexts; outstanding tickets still finish."""


def make_renderer(scene: Scene, wish: str = "auto") -> Renderer:
    """Return a renderer by name; "auto" is the fastest that works here.

    If that is not the first choice, this is reported once, with the reason.
    """
    if wish != "auto":
        return _made(wish, scene)
    reasons = []
    for name in ORDER:
        try:
            renderer = _made(name, scene)
        except (OutriderError, ImportError) as error:
            reasons.append(f"{name}: {error}")
            continue
        if reasons:
            say_once(f"images are rendered by '{name}', because {'; '.join(reasons)}")
        return renderer
    raise RenderError(f"no renderer works here: {'; '.join(reasons)}")


@cache
def check_renderer(wish: str) -> None:
    """Refuse a renderer that cannot be made here, whatever the scene: it is tried with nothing."""
    if wish == "auto":
        return  # one of them always works
    try:
        _made(wish, Scene(assemble(World("nothing")))).close()
    except OutriderError:
        raise
    except Exception as error:  # drivers fail in many ways
        raise RenderError(f"the renderer '{wish}' does not work here: {error}") from None


def _made(name: str, scene: Scene) -> Renderer:
    try:
        maker = RENDERERS.load(name)
        renderer: Renderer = FollowingRenderer(scene, maker) if wanders(scene) else maker(scene)
    except ModuleNotFoundError as error:
        raise RenderError(f"the renderer '{name}' needs '{error.name}', which is missing") from None
    return renderer
