"""Names of robots and things can be shown and sent, wherever they come from."""

import pytest

from outrider.core.errors import BusError, ConfigError
from outrider.core.plain_name import check_plain, in_file_name
from outrider.messages.store import full_name
from outrider.messages.topics import check_name
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session.session import Session
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec


@pytest.mark.parametrize("name", ["\x1b[2J", "two\nlines", "\x9b", "\u202e", "\ud800", "\0"])
def test_control_characters_are_refused_and_not_repeated(name):
    with pytest.raises(ConfigError, match="has no control characters") as refused:
        check_plain("object", name)
    assert name not in str(refused.value)


def test_long_names_are_refused_in_a_short_sentence():
    check_plain("object", "n" * 200)
    with pytest.raises(ConfigError) as refused:
        check_plain("object", "n" * 1_000_000)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("name", ["crate 1", "Gerät", "機器人", "a/b", "\u00a0"])
def test_names_of_other_programs_pass(name):
    check_plain("object", name)


def test_things_and_robots_are_checked():
    crate = ObjectSpec("a\x1b[2J", BoxSpec(), PoseSpec(9.0))
    with pytest.raises(ConfigError, match="control characters"):
        Session(Scenario(obstacles=(crate,)))
    with pytest.raises(ConfigError, match="control characters"):
        Session(Scenario(robots=(RobotEntry("create", "a\nb"),)))


def test_names_of_topics_and_types_are_bounded():
    assert check_name("/" + "a" * 254)
    with pytest.raises(BusError, match="255 letters at most, not 256"):
        check_name("/" + "a" * 255)
    with pytest.raises(BusError) as refused:
        full_name("a" * 1_000_000 + "/msg/A")
    assert len(str(refused.value)) < 200


def test_a_name_in_a_file_name_leads_to_no_other_folder():
    assert in_file_name("jackal 2.é") == "jackal 2.é"
    assert in_file_name("x/../../y") == "x-..-..-y"
    assert in_file_name("C:\\x") == "C--x"
