import numpy as np
import pytest

from outrider.bus.bus import Bus
from outrider.core.clock import Schedule
from outrider.core.state import State
from outrider.messages.types import Float64
from outrider.sensors.sampling import Delivery, Sampled, Sampler
from outrider.sensors.sensor import Sensor

STEP = 2_500_000


class Counter(Sensor):
    """A sensor that counts its measurements."""

    def __init__(self) -> None:
        self.count = 0

    @property
    def outputs(self):
        return {"count": lambda _: Float64(float(self.count))}

    def sample(self, _: int) -> None:
        self.count += 1

    def get_state(self) -> State:
        return State(count=self.count)

    def set_state(self, state: State) -> None:
        self.count = state.integer("count")


AT_ONCE = Delivery()


def make(rate_hz: float, way: Delivery = AT_ONCE, listen: bool = True):
    bus = Bus()
    channel = bus.declare("/count", "std_msgs/msg/Float64")
    box = bus.subscribe("/count", kept="all", depth=10**6) if listen else None
    sensor = Counter()
    outputs = [(channel, sensor.outputs["count"])]
    sampled = Sampled(sensor, outputs, Schedule(rate_hz), way, np.random.default_rng(3))
    return Sampler([sampled]), sensor, box, channel


def run(sampler: Sampler, seconds: float) -> None:
    for now in range(0, round(seconds * 1e9) + 1, STEP):
        sampler.measure(now)
        sampler.speak(now)


def read(box) -> list[tuple[int, float]]:
    items = []
    while (item := box.poll()) is not None:
        items.append((item[0], item[1].data))
    return items


@pytest.mark.parametrize("rate_hz", [50.0, 30.0, 400.0, 7.0])
def test_a_sensor_keeps_its_rate_exactly(rate_hz: float) -> None:
    sampler, sensor, box, _ = make(rate_hz)
    run(sampler, 100.0)
    assert sensor.count == 100 * rate_hz + 1
    assert len(read(box)) == sensor.count


def test_measurements_are_taken_and_counted_even_if_nobody_listens() -> None:
    sampler, sensor, _, channel = make(50.0, listen=False)
    run(sampler, 1.0)
    assert sensor.count == channel.count == 51


def test_a_late_message_keeps_the_time_and_value_of_its_measurement() -> None:
    sampler, _, box, _ = make(10.0, Delivery(latency_ns=30_000_000))
    for now in range(0, 25_000_000, STEP):
        sampler.measure(now)
        sampler.speak(now)
    assert read(box) == []
    for now in range(25_000_000, 140_000_000, STEP):
        sampler.measure(now)
        sampler.speak(now)
    assert read(box) == [(0, 1.0), (100_000_000, 2.0)]


def test_a_late_message_tells_when_it_came_onto_the_bus() -> None:
    sampler, _, box, _ = make(10.0, Delivery(latency_ns=30_000_000))
    for now in range(0, 140_000_000, STEP):
        sampler.measure(now)
        sampler.speak(now)
    assert box.latest is not None
    assert (box.latest[0], box.latest.published_ns) == (100_000_000, 130_000_000)


def test_lost_messages_are_as_many_as_asked_and_jitter_never_changes_the_order() -> None:
    way = Delivery(latency_ns=20_000_000, jitter_ns=15_000_000, dropout=0.2)
    sampler, sensor, box, _ = make(100.0, way)
    run(sampler, 100.0)
    got = read(box)
    assert len(got) == pytest.approx(0.8 * sensor.count, rel=0.02)
    assert got == sorted(got)


def test_from_the_same_state_the_same_messages_are_lost_again() -> None:
    way = Delivery(latency_ns=20_000_000, jitter_ns=15_000_000, dropout=0.3)
    sampler, _, box, _ = make(100.0, way)
    start = sampler.get_state()
    run(sampler, 5.0)
    first = read(box)
    sampler.set_state(start)
    run(sampler, 5.0)
    assert read(box) == first
