"""Renderers last as long as their scenes."""

import threading

from outrider.sensors.camera import renderer_pool


class SceneLike:
    """Something that a renderer belongs to."""


class RendererLike:
    """Tells when it is closed."""

    def __init__(self):
        self.closed = threading.Event()

    def close(self):
        self.closed.set()


def test_the_renderer_of_a_scene_that_is_gone_is_closed(monkeypatch):
    monkeypatch.setattr(renderer_pool, "make_renderer", lambda *_: RendererLike())
    scene, other = SceneLike(), SceneLike()
    renderer, second = (renderer_pool.renderer_for(one, "auto") for one in (scene, other))
    assert renderer_pool.renderer_for(scene, "auto") is renderer is not second
    del scene
    assert renderer.closed.wait(30.0)
    assert not second.closed.is_set()


def test_the_renderers_of_a_scene_that_is_not_needed_are_closed_before_it_goes(monkeypatch):
    monkeypatch.setattr(renderer_pool, "make_renderer", lambda *_: RendererLike())
    scene, other = SceneLike(), SceneLike()
    renderer, second = (renderer_pool.renderer_for(one, "auto") for one in (scene, other))
    renderer_pool.close_renderers(scene)
    assert renderer.closed.wait(30.0)
    assert not second.closed.is_set()
    assert renderer_pool.renderer_for(scene, "auto") is not renderer
