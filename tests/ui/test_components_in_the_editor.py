"""Components in the inspector, without a browser."""

import pytest
from editor_bench import YARD

from outrider.core.errors import ConfigError, OutriderError
from outrider.scenarios.load import loads
from outrider.scenarios.session.session import Session
from outrider.ui.components import components_on, with_component, without_component


@pytest.fixture
def session() -> Session:
    return Session(loads(YARD))


def test_a_component_is_attached_with_parameters_listed_and_removed_and_undone(
    session: Session,
) -> None:
    session.simulation.run(0.1)
    session.apply(with_component(session, "planar-move", "jackal", "{topic: /go, timeout_s: 2}"))
    session.apply(with_component(session, "gate", "jackal", ""))
    assert session.simulation.time_s == pytest.approx(0.1)
    first, second = components_on(session, "jackal")
    assert (first.kind, first.removable) == ("planar-move", True)
    assert ("topic", "/go") in first.parameters
    assert ("timeout_s", "2.0") in first.parameters
    session.apply(without_component(session, first.name))
    assert [one.kind for one in components_on(session, "jackal")] == ["gate"]
    session.undo()
    assert [one.name for one in components_on(session, "jackal")] == [first.name, second.name]


def test_wrong_parameters_are_refused_and_nothing_changes(session: Session) -> None:
    for text in ("{toppic: /go}", "{file: mine.py}", "speed: [", "{speed: fast}"):
        with pytest.raises((ConfigError, OutriderError)):
            session.apply(with_component(session, "gate", "jackal", text))
    assert session.scenario.components == ()


def test_what_python_attached_is_shown_but_not_removed(session: Session) -> None:
    session.simulation.attach("gate", "jackal")
    (only,) = components_on(session, "jackal")
    assert not only.removable
    with pytest.raises(ConfigError, match="was attached in Python"):
        without_component(session, only.name)
