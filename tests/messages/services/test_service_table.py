"""The table of services: strict requests, whole replies, nothing without a row."""

import dataclasses

import pytest

from outrider.core.errors import BridgeError, ConfigError
from outrider.messages.services.listing import argument_names, listed
from outrider.messages.services.reading import answering, plain_reply, read_request
from outrider.messages.services.replies import MotionState, StatesNow
from outrider.messages.services.requests import NewSensor, Steps
from outrider.messages.services.table import SERVICES, TRIGGERS, service_row

REST = MotionState((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


def test_every_request_and_reply_is_a_frozen_dataclass():
    for row in SERVICES.values():
        for kind in (row.request, row.reply):
            assert dataclasses.is_dataclass(kind), row.name
            assert kind.__dataclass_params__.frozen, row.name


def test_a_trigger_needs_no_arguments():
    for name in TRIGGERS:
        read_request(SERVICES[name], {})


@pytest.mark.parametrize(
    ("service", "arguments", "says"),
    [
        ("step", {"step": 3}, r"step: step: unknown key \(did you mean 'steps'\?\)"),
        ("step", {"steps": 0}, "step: steps: must be at least 1, got 0"),
        ("step", {"steps": 2, "duration_s": 1.0}, "expected steps or duration_s, got both"),
        ("step", {"n": 5}, "step: n: unknown key; known: steps, duration_s"),
        ("pause", {"now": True}, "pause: now: unknown key; known: none"),
        ("set_speed", {"speed": "fast"}, "set_speed: speed: expected a number, got 'fast'"),
        ("set_speed", {"speed": 1e9}, "must be at most"),
        ("lockstep", {"timeout_s": 1e9}, "must be at most 3600"),
        ("move", {"x": 1.0}, "move: name: this key is required"),
        ("set_joints", {"model": "m", "joints": {}}, "expected names with angles"),
        ("apply_wrench", {"body": "b", "force": [1, 2]}, "force: expected 3 values, got 2"),
        ("spawn", {"name": "x", "text": "", "format": "obj"}, "expected one of urdf, sdf"),
        ("get_state", {"name": 3}, "get_state: name: expected text, got 3"),
    ],
)
def test_a_bad_argument_is_one_sentence_that_names_service_and_key(service, arguments, says):
    with pytest.raises(ConfigError, match=says):
        read_request(SERVICES[service], arguments)


def test_steps_are_counted_or_follow_from_a_duration():
    assert Steps().count(0.0025) == 1
    assert Steps(steps=7).count(0.0025) == 7
    assert Steps(duration_s=0.1).count(0.0025) == 40
    assert Steps(duration_s=1e-9).count(0.0025) == 1
    with pytest.raises(ConfigError, match="at most 2500, got 10000"):
        Steps(duration_s=10_000.0).count(0.0025)


def test_keys_of_a_scenario_are_passed_on_beside_the_requests_own():
    request = read_request(SERVICES["add_sensor"], {"robot": "jackal", "name": "far", "model": "p"})
    assert request == NewSensor({"name": "far", "model": "p"}, "jackal")


def test_a_reply_keeps_all_its_fields_and_only_plain_values():
    reply = plain_reply(StatesNow(1.5, {"jackal": REST}, {}))
    assert reply["time_s"] == 1.5
    assert reply["models"]["jackal"]["orientation"] == [0.0, 0.0, 0.0, 1.0]
    assert reply["links"] == {}


def test_a_handler_gets_the_typed_request():
    service = answering(SERVICES["step"], lambda request: request)
    assert service({"steps": 4}) == {"steps": 4, "duration_s": None}


def test_a_service_without_a_row_is_not_offered():
    with pytest.raises(BridgeError, match="'dance' has no row"):
        service_row("dance")


def test_required_arguments_are_listed_first():
    assert argument_names(SERVICES["spawn"])[:2] == ["name", "text"]
    assert {row["service"] for row in listed()} == set(SERVICES)
