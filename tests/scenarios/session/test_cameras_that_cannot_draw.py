"""A camera that cannot draw here is refused when it is added: it would end the run later."""

import pytest

from outrider.core.errors import RenderError
from outrider.render.embree.renderer import EmbreeRenderer
from outrider.render.renderer import check_renderer
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session.changes import AddObject, AddSensor
from outrider.scenarios.session.session import Session
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

_EYE = "/eye/image_raw"


def camera(renderer):
    return SensorEntry("eye", "camera", set={"width": 32, "height": 24, "renderer": renderer})


@pytest.fixture
def session():
    return Session(Scenario(robots=(RobotEntry("create"),)))


@pytest.fixture
def no_opengl(monkeypatch):
    import glcontext

    def broken(*_, **__):
        raise Exception("libEGL.so not loaded")

    monkeypatch.setattr(glcontext, "get_backend_by_name", lambda _: broken)
    check_renderer.cache_clear()
    yield
    check_renderer.cache_clear()


def test_a_camera_for_opengl_is_refused_where_there_is_none(session, no_opengl):
    before = session.simulation
    with pytest.raises(RenderError, match=r"sensor 'eye': renderer: no OpenGL.*install"):
        session.apply(AddSensor(camera("gl")))
    assert session.simulation is before
    assert session.bus.find(_EYE) is None


def test_a_scenario_with_one_does_not_start_there(no_opengl):
    with pytest.raises(RenderError, match=r"sensor 'eye': renderer: no OpenGL"):
        Session(Scenario(sensors=(camera("gl"),)))


def test_a_camera_that_takes_what_there_is_draws_without_opengl(session, no_opengl):
    session.apply(AddSensor(camera("auto")))
    images = session.bus.subscribe(_EYE)
    session.simulation.run(0.1)
    assert images.poll() is not None


def test_a_clients_camera_that_cannot_draw_this_scene_is_refused(session, monkeypatch):
    def begin(*_):
        raise RenderError("memory ran out")

    monkeypatch.setattr(EmbreeRenderer, "begin", begin)
    before = session.simulation
    with pytest.raises(RenderError, match="memory ran out"):
        session.prepared(AddSensor(camera("embree")), of_client=True)
    assert session.simulation is before
    assert session.bus.find(_EYE) is None


def test_a_change_that_a_heard_camera_could_not_draw_is_refused(session, monkeypatch):
    session.apply(AddSensor(camera("embree")))
    images = session.bus.subscribe(_EYE)
    session.simulation.run(0.1)
    images.poll()

    def broken(*_):
        raise RenderError("memory ran out")

    box = ObjectSpec("box", BoxSpec((1.0, 1.0, 1.0)), PoseSpec(5.0, 0.0, 0.5))
    with monkeypatch.context() as patched:
        patched.setattr(EmbreeRenderer, "__init__", broken)
        with pytest.raises(RenderError, match="memory ran out"):
            session.prepared(AddObject(box))
    session.simulation.run(0.1)
    assert images.poll() is not None
