"""The short form of ``python -m tools.fuzz``: a few hundred damaged files, requests and talks.

The long form runs tens of thousands of each; see tools/fuzz/__main__.py.
"""

from dataclasses import fields

import pytest
import yaml
from tools.fuzz import devices, files, requests, talks
from tools.fuzz.limits import outcomes
from tools.fuzz.mutate import damaged, generator
from tools.fuzz.samples import samples

from outrider.messages.services.table import SERVICES
from outrider.scenarios.scenario import Scenario

FIRST = 1_000_000  # cases that the long form does not have


def faults(found):
    return [
        f"{one.kind} {one.number}: {one.fault} | {one.first_bytes}" for one in found if one.fault
    ]


def test_the_same_number_gives_the_same_damage():
    data = b"<robot name='r'><link name='a'/></robot>" * 3
    once, again, other = (damaged(data, generator(1, n), "r.urdf") for n in (7, 7, 8))
    assert once == again != other


REFUSED = {"unread", "untrusted code"}  # on purpose


@pytest.mark.parametrize("name", sorted(set(samples()) - REFUSED))
def test_what_is_damaged_is_accepted_as_it_is(name, tmp_path):
    sample = samples()[name]
    files.WAYS[sample.way](files._written(tmp_path / "here", sample, dict(sample.files)))


def test_every_service_of_the_table_is_asked_for():
    assert {name for name, _ in (*talks.CALLS, *talks.BUILDING)} == set(SERVICES)


def test_every_section_of_a_scenario_is_damaged():
    known = yaml.safe_load(samples()["scenario"].files["scenario.yaml"])
    missing = {field.name for field in fields(Scenario)} - set(known)
    assert missing == {"name", "bridges", "autonomy"}  # "stack" has the keys of autonomy


def test_a_worker_that_dies_or_fails_costs_one_case_only():
    found = list(outcomes(["tests.tools.broken_worker"], 0, 4))
    assert [one.number for one in found] == [0, 1, 2, 3]
    assert [bool(one.fault) for one in found] == [False, True, False, False]
    assert "ended with 3" in found[1].fault
    assert found[1].first_bytes == "case 1"


@pytest.mark.slow
def test_damaged_files_of_every_format_are_read_or_refused_in_one_sentence():
    found = list(files.outcomes(FIRST, 90, seed=1))
    assert faults(found) == []
    assert len(found) == 90
    assert 25 < sum(one.refused for one in found) < 85


@pytest.mark.slow
def test_damaged_requests_to_every_port_hurt_nobody():
    found = list(requests.outcomes(FIRST, 240, seed=1))
    assert faults(found) == []
    assert len(found) == 240
    assert {one.kind for one in found} == set(requests.TALKS)


def test_damaged_bytes_on_serial_lines_hurt_no_device():
    found = [devices.outcome(number, seed=1)[0] for number in range(FIRST, FIRST + 300)]
    assert faults(found) == []
    assert {one.kind for one in found} == set(devices.BENCHES)
    assert sum(one.refused for one in found) > 150


def test_a_device_that_fails_or_stays_mute_is_told(monkeypatch):
    class Failing(Mute):
        def receive(self, data, _now_ns):
            return bytes(1 // (len(data) - 1))

    for device, fault in ((Failing(), "ZeroDivisionError"), (Mute(), "no version but b''")):
        bench = devices.Bench(device, (b"a",), devices._answers_version)
        monkeypatch.setitem(devices.BENCHES, "gps", lambda bench=bench: bench)
        found = [devices.outcome(number, 1, "gps")[0] for number in range(20)]
        assert any(fault in one.fault for one in found)


class Mute:
    """A device that takes everything and says nothing."""

    kind, baud = "mute", 9600

    def receive(self, _data, _now_ns):
        return b""

    def tick(self, _now_ns):
        return b""

    def counts(self):
        return {}

    def close(self):
        pass
