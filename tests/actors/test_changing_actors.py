"""Actors added to and removed from a running simulation."""

import numpy as np
import pytest
from test_people import place

from outrider.actors.spec import HerdSpec, PersonSpec
from outrider.core.errors import ConfigError
from outrider.scenarios.load import loads
from outrider.scenarios.session.session import Session

WALK = PersonSpec(name="anna", points=((3.0, 3.0), (9.0, 3.0)))


def test_people_are_added_while_it_runs_and_removed_again():
    session = Session(loads("robots: [{model: jackal}]"))
    session.simulation.run(0.5)
    session.add(WALK)
    session.simulation.run(1.0)
    assert 3.4 < place(session.simulation, "anna")[0] < 4.5
    session.remove("anna")
    assert "anna" not in session.simulation.rig.assembly.models
    session.undo()
    before = place(session.simulation, "anna")
    session.simulation.run(0.5)
    assert np.linalg.norm(place(session.simulation, "anna") - before) > 0.5


def test_one_of_many_cannot_be_removed_and_none_can_be_moved():
    session = Session(loads("actors: [{type: herd, count: 3, area: {centre: [9, 0]}}]"))
    with pytest.raises(ConfigError, match="'sheep_2' is one of the actors 'sheep'"):
        session.remove("sheep_2")
    with pytest.raises(ConfigError, match="'sheep' moves by itself"):
        session.move("sheep", 1.0)
    with pytest.raises(ConfigError, match="two actors have the name 'sheep_1'"):
        session.add(HerdSpec(count=3))
