"""What the Embree renderer alone promises."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from render_rig import NO_BODIES, VGA, camera, floor, save_image, scene_of, static

from outrider.core.errors import RenderError
from outrider.render.embree.renderer import EmbreeRenderer
from outrider.render.film import Film
from outrider.render.shot import Shot
from outrider.scene import tracer
from outrider.scene.tree_tracer import TreeTracer
from outrider.world.shapes import Box, Sphere


def leafy(path):
    """A ball, and a card with holes before a textured floor."""
    random = np.random.default_rng(2)
    pixels = random.integers(0, 256, (64, 64, 4)).astype(np.uint8)
    picture = save_image(path / "leaves.png", pixels)
    ground = save_image(path / "ground.png", pixels[..., :3])
    return scene_of(
        floor(texture=ground, texture_size=2.0),
        static("ball", Sphere(0.6), x=4.0, y=-1.0, z=0.6),
        static("card", Box((0.01, 2.0, 2.0)), x=5.0, z=1.0, texture=picture, texture_size=1.0),
    )


@pytest.mark.parametrize("samples", [1, 4])
def test_one_thread_takes_the_same_picture_as_several(tmp_path, samples):
    shot = Shot(camera(z=1.2, pitch_deg=8.0), VGA, film=Film(samples=samples, noise=0.01))
    scene = leafy(tmp_path)
    taken = []
    for threads in (1, 3):
        renderer = EmbreeRenderer(scene)
        renderer._hands = ThreadPoolExecutor(threads)
        taken.append(renderer.begin([shot], NO_BODIES).pictures()[0].colour)
        renderer.close()
    assert (taken[0] == taken[1]).all()
    assert taken[0].std() > 10


def test_a_closed_renderer_says_so(tmp_path):
    renderer = EmbreeRenderer(leafy(tmp_path))
    renderer.close()
    with pytest.raises(RenderError, match="closed"):
        renderer.begin([Shot(camera(z=1.0), VGA)], NO_BODIES)


def test_without_embree_the_picture_is_the_same(tmp_path, monkeypatch):
    shot = Shot(camera(z=1.2, pitch_deg=8.0), VGA)
    taken = []
    for embree in (True, False):
        monkeypatch.setattr(tracer, "has_embree", lambda embree=embree: embree)
        renderer = EmbreeRenderer(leafy(tmp_path))
        assert isinstance(renderer._rays._tracers[0], TreeTracer) is not embree
        taken.append(renderer.begin([shot], NO_BODIES).pictures()[0].colour.astype(int))
        renderer.close()
    different = np.abs(taken[0] - taken[1]).max(axis=2) > 2
    assert different.mean() < 1e-3  # at the rims of leaves and of the ball
