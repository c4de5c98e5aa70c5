"""What nobody reads is not worked out, and that changes nothing in what is read later."""

from collections.abc import Mapping

import numpy as np
import pytest

from outrider.bus.mailbox import Subscription
from outrider.core.frames import Pose
from outrider.messages.message_state import message_state
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.vehicles.robot import load_robot
from outrider.world.model import World

WALKING = {
    "gyroscope": {"random_walk": 0.01, "noise_density": 0.001, "turn_on_sigma": 0.1},
    "accelerometer": {"random_walk": 0.02, "correlation_s": 3.0, "scale_sigma": 0.01},
    "attitude": {"mode": "ahrs", "yaw": {"drift_sigma": 0.1, "drift": "hector"}},
}
IMUS = (
    SensorEntry(name="fast", model="ideal-imu", rate_hz=400.0, set=WALKING),
    SensorEntry(name="odd", model="ideal-imu", rate_hz=70.0, set=WALKING),
)


def _falling() -> Simulation:
    """A Husky with three IMUs that falls with turning wheels, and is put elsewhere in between."""
    robot = Participant(load_robot("husky"), pose=Pose(), on_ground=False, sensors=IMUS)
    return Simulation(World("space", ()), [robot])


def _listen(simulation: Simulation) -> dict[str, Subscription]:
    kinds = ("/Imu", "/WheelEncoders")
    names = [t.name for t in simulation.bus.topics() if t.type.endswith(kinds)]
    assert len(names) == 4
    return {name: simulation.bus.subscribe(name, kept="all") for name in names}


def _plain(value: object) -> object:
    """Return a state as plain data, arrays as their bytes."""
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return value.tobytes() if isinstance(value, np.ndarray) else value


def _heard(boxes: dict[str, Subscription], since_ns: int) -> list[object]:
    found = []
    for name, box in boxes.items():
        while (item := box.poll()) is not None:
            if item[0] > since_ns:
                found.append((name, item[0], _plain(message_state(item[1]))))
    return found


def _saved(simulation: Simulation) -> object:
    return _plain(simulation.get_state().part("sensors"))


def _run(simulation: Simulation, seconds: float) -> None:
    simulation.rig.engine.loads.bodies["torque"][0] = (3.0, 1.0, 2.0)
    simulation.robots["husky"].drive(1.0, 0.5)
    simulation.run(seconds)


def _jump(simulation: Simulation) -> None:
    root = simulation.rig.vehicles[0].root
    simulation.rig.engine.place(root, Pose(np.array([5.0, 1.0, 2.0])), np.zeros(3), np.zeros(3))


@pytest.mark.parametrize("silence_s", [0.0025, 0.3, 0.7])
def test_who_listens_later_hears_the_same_as_who_always_did(silence_s: float) -> None:
    always, later = _falling(), _falling()
    from_start = _listen(always)
    for simulation in (always, later):
        _run(simulation, 0.2)
        _jump(simulation)
        _run(simulation, silence_s)
    from_now, since_ns = _listen(later), later.time_ns
    for simulation in (always, later):
        simulation.run(0.1)
    heard = _heard(from_now, since_ns)
    assert len(heard) > 40
    assert heard == _heard(from_start, since_ns)
    assert _saved(always) == _saved(later)


def test_a_state_saved_in_silence_is_that_of_who_listened() -> None:
    always, later = _falling(), _falling()
    _listen(always)
    for simulation in (always, later):
        _run(simulation, 0.5)
        _jump(simulation)
        simulation.run(0.0025)
    assert _saved(always) == _saved(later)
