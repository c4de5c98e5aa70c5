"""What components draw is published for viewers, and changes nothing."""

import numpy as np

import outrider as o
from outrider.components.canvas import TOPIC
from outrider.components.component import Component
from outrider.scenarios.scenario import Scenario
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec, WorldSpec

CRATE = ObjectSpec("crate", BoxSpec(), PoseSpec(x=2.0), mass=10.0)
YARD = Scenario("yard", world=WorldSpec("yard", objects=(CRATE,)), duration_s=None)


class Shows(Component):
    """Draws one of everything."""

    def draw(self, me, canvas):
        canvas.arrow(me.position, me.position + np.array([0.0, 0.0, 1.0]))
        canvas.line([(0, 0, 0), (1, 0, 0), (1, 1, 0)], colour=(1.0, 0.0, 0.0))
        canvas.sphere((0, 0, 2), radius=0.5)
        canvas.text((0, 0, 3), "here")


class Meddles(Component):
    """Pushes where it may only draw."""

    def draw(self, me, canvas):
        canvas.sphere(me.position)
        me.push((0.0, 0.0, 100.0))


def test_a_viewer_gets_markers_ten_times_a_second_and_the_run_is_the_same():
    alone, watched = (o.Session(YARD).simulation for _ in range(2))
    for sim in (alone, watched):
        sim.attach(Shows, "crate")
    watched.run(0.2)
    box = watched.bus.subscribe(TOPIC, kept="all")
    watched.run(0.8)
    alone.run(1.0)
    arrays = [message.markers for _, message in iter(box.poll, None)]
    assert len(arrays) == 8
    clear, arrow, line, sphere, text = arrays[-1]
    assert clear.action == 3  # what was drawn before goes
    assert [arrow.type, line.type, sphere.type, text.type] == [0, 4, 2, 9]
    assert abs(arrow.points[0].x - 2.0) < 1e-3
    assert (line.color.r, len(line.points), sphere.scale.x, text.text) == (1.0, 3, 1.0, "here")
    assert alone.state_hash == watched.state_hash


def test_a_component_that_acts_while_it_draws_is_told_and_draws_no_more():
    sim = o.Session(YARD).simulation
    said = []
    sim.components.tell = said.append
    sim.attach(Meddles, "crate")
    sim.run(0.1)
    sim.bus.subscribe(TOPIC)
    sim.run(0.5)
    assert len(said) == 1
    assert "test_component_drawing.py" in said[0]
