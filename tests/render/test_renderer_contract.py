"""What every registered renderer must keep."""

import numpy as np
import pytest
from render_rig import NO_BODIES, camera, renderer_or_skip, scene_of, wall

from outrider.core.errors import RenderError
from outrider.render.film import Film
from outrider.render.intrinsics import Intrinsics
from outrider.render.renderer import ORDER, RENDERERS
from outrider.render.shot import Shot

SMALL = Intrinsics.from_fov(32, 24, 70.0)


@pytest.fixture(params=list(RENDERERS))
def opened(request):
    return renderer_or_skip(request.param, scene_of(wall(5.0)))


@pytest.fixture
def renderer(opened):
    yield opened
    opened.close()


def shot():
    return Shot(camera(), SMALL, 0.05, 100.0, Film(), frozenset({"colour", "depth"}))


def test_every_renderer_has_its_place_in_the_order_of_choice():
    assert set(ORDER) == set(RENDERERS)


def test_it_says_who_it_is_and_what_it_draws_with(renderer):
    assert renderer.name in RENDERERS
    assert renderer.description


def test_pictures_come_in_the_order_of_the_shots_as_often_as_one_asks(renderer):
    ticket = renderer.begin([shot(), shot()], NO_BODIES)
    first, second = ticket.pictures()
    assert first.colour.shape == (24, 32, 3)
    assert np.median(first.depth) == pytest.approx(5.0, abs=1e-3)
    assert (first.colour == second.colour).all()
    assert ticket.pictures()[0] is first


def test_what_was_begun_is_finished_after_closing_and_nothing_more_is_begun(opened):
    ticket = opened.begin([shot()], NO_BODIES)
    opened.close()
    assert np.median(ticket.pictures()[0].depth) == pytest.approx(5.0, abs=1e-3)
    with pytest.raises(RenderError):
        opened.begin([shot()], NO_BODIES)


def test_it_may_be_closed_twice(opened):
    opened.close()
    opened.close()
