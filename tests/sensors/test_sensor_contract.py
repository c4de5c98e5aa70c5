"""What every registered sensor must keep, and every kind of noise."""

import dataclasses
import json

import numpy as np
import pytest

from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data
from outrider.loader.library import library_names, library_path
from outrider.messages.types import message_class
from outrider.scenarios.build import build
from outrider.scenarios.load import loads
from outrider.scenarios.scenario import RobotEntry
from outrider.scenarios.session.saved_state_file import _json
from outrider.sensors import noise
from outrider.sensors.catalogue import SENSORS
from outrider.specs.sensor import SensorEntry, SensorFile
from outrider.specs.world import PoseSpec


def models() -> dict[str, str]:
    """Return a model of the library for every kind of sensor."""
    found: dict[str, str] = {}
    for model in library_names("sensors"):
        file = from_data(SensorFile, read_yaml(library_path("sensors", model)))
        found.setdefault(file.type, model)
    return found


def host(model: str) -> str:
    """Return the robot of the library that a model is made for."""
    if model.startswith("create"):
        return "create"
    return "autominy" if model.startswith(("auto", "autonomos")) else "jackal"


IN_A_JOINT = {"force-torque", "load-cell"}  # the root link, where others go, has none


@pytest.fixture(scope="module")
def carried():
    """Return a sensor of every kind by name, on robots that have driven a little."""
    loads_of: dict[str, list[SensorEntry]] = {}
    for kind, model in models().items():
        place = kind.replace("-", "_")
        topics = {output: f"{place}/{output}" for output in SENSORS.load(kind).types}
        link = "front_left_wheel_link" if kind in IN_A_JOINT else ""
        entry = SensorEntry(kind, model, link, PoseSpec(0.1, 0.0, 0.3), topics=topics)
        loads_of.setdefault(host(model), []).append(entry)
    robots = tuple(
        RobotEntry(name, sensors=tuple(entries), pose=PoseSpec(y=3.0 * i))
        for i, (name, entries) in enumerate(loads_of.items())
    )
    simulation = build(dataclasses.replace(loads("robots: []"), robots=robots))
    for robot in simulation.robots.values():
        robot.drive(0.3, 0.4)
    simulation.run(0.05)
    named = simulation.sampler.named
    return {name.rpartition("/")[2]: sampled for name, sampled in named.items() if "/" in name}


def test_the_library_has_a_model_for_every_kind():
    assert set(models()) == set(SENSORS)


@pytest.mark.parametrize("kind", list(SENSORS))
def test_a_sensor_declares_its_parameters_and_messages(kind):
    loaded = SENSORS.load(kind)
    assert dataclasses.is_dataclass(loaded.Parameters)
    assert loaded.Parameters.__dataclass_params__.frozen
    assert loaded.types
    for name in loaded.types.values():
        assert message_class(name)
    assert isinstance(loaded.exposes, bool)


@pytest.mark.parametrize("kind", list(SENSORS))
def test_a_sensor_says_only_what_it_declares_and_looks_back_no_longer_than_the_past(kind, carried):
    sampled = carried[kind]
    sensor = sampled.sensor
    assert set(sensor.outputs) <= set(sensor.types)
    assert 0.0 <= type(sensor).looks_back(sampled.made_of, sampled.schedule.rate_hz) <= 1.0
    for parent, child, pose in sensor.frames:
        assert parent != child
        assert np.linalg.norm(pose.rotation) == pytest.approx(1.0)


@pytest.mark.parametrize("kind", list(SENSORS))
def test_the_state_of_a_sensor_is_plain_and_can_be_set_again_and_again(kind, carried):
    sensor = carried[kind].sensor
    state = sensor.get_state()
    arrays = {}
    text = json.dumps(_json(state, arrays), allow_nan=False)
    for _ in range(2):
        sensor.set_state(state)
        again = {}
        assert json.dumps(_json(sensor.get_state(), again), allow_nan=False) == text
        assert [a.tobytes() for a in again.values()] == [a.tobytes() for a in arrays.values()]
    assert list(state.unread()) == []


def kinds_of(cls):
    for kind in cls.__subclasses__():
        yield from kinds_of(kind)
        if not kind.__name__.startswith("_"):
            yield kind


_ARGUMENTS = {"RandomWalk": (0.1,), "GaussMarkov": (0.2, 3.0), "HectorDrift": (0.2, 3.0)}
_PLAIN = {"Saturation": (0.5,), "Quantisation": (0.01,)}


@pytest.mark.parametrize("kind", sorted(set(kinds_of(noise.ErrorModel)), key=lambda k: k.__name__))
@pytest.mark.parametrize("before", [0, 1, 63, 64, 100])
def test_every_kind_of_noise_goes_on_from_its_state_to_the_same_bytes(kind, before):
    def made(seed):
        if kind.__name__ in _PLAIN:
            return kind(*_PLAIN[kind.__name__])
        return kind(np.random.default_rng(seed), 3, *_ARGUMENTS.get(kind.__name__, (0.3,)))

    def run(error, count):
        return [error.apply(np.ones(3), 0.01).tobytes() for _ in range(count)]

    first, second = made(1), made(1)
    run(first, before)
    second.set_state(first.get_state())
    assert run(first, 150) == run(second, 150)
