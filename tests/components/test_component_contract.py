"""What every built-in component keeps: its parameters, its state, and a run that repeats."""

import numpy as np
import pytest
from test_builtin_components import YARD

import outrider as o
from outrider.components.catalogue import COMPONENTS
from outrider.core.state import State
from outrider.scenarios.load import loads

# each on something it can move, told to move by a message that came before the state is saved
AT_WORK = {
    "conveyor": ("slab", {"speed": 0.5, "topic": "/told"}, {"data": 0.7}),
    "gate": ("barn/hinge", {"speed": 1.0, "topic": "/told"}, {"data": True}),
    "joint-controller": (
        "barn/hinge",
        {"p": 200.0, "i": 50.0, "d": 60.0, "topic": "/told"},
        {"data": 0.7},
    ),
    "lift": ("slab", {"floors": (0.0, 0.8), "topic": "/told"}, {"data": 1}),
    "planar-move": ("cart", {"topic": "/told"}, {"linear": {"y": 0.5}}),
}


def at_work(name):
    on, parameters, message = AT_WORK[name]
    sim = o.build(loads(YARD))
    sim.attach(name, on, **parameters)
    sim.run(0.05)
    sim.publish("/told", message)
    sim.run(0.1)
    return sim


def told(sim):
    (member,) = sim.components
    return sim.state_hash, _plain(member.get_state())


def _plain(value):
    """Return a state as data that can be compared."""
    if isinstance(value, State):
        return {name: _plain(value[name]) for name in value}
    return value.tolist() if isinstance(value, np.ndarray) else value


def test_every_built_in_component_is_here():
    assert set(AT_WORK) == set(COMPONENTS)


@pytest.mark.parametrize("name", AT_WORK)
def test_a_component_moves_something_and_goes_on_from_its_state_to_the_same_bytes(name):
    sim = at_work(name)
    kept, before = sim.get_state(), sim.state_hash
    sim.run(0.2)
    after = told(sim)
    assert after[0] != before
    sim.set_state(kept)
    assert sim.state_hash == before
    sim.run(0.2)
    assert told(sim) == after


@pytest.mark.parametrize("name", AT_WORK)
def test_another_simulation_goes_on_from_its_state_alike(name):
    first, other = at_work(name), at_work(name)
    kept = first.get_state()
    other.run(0.1)
    for sim in (first, other):
        sim.set_state(kept)
        sim.run(0.1)
    assert told(other) == told(first)
