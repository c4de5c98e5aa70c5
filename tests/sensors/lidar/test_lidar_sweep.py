"""Revolutions cast on other cores: the same messages, byte for byte, whatever happens."""

import gc
import threading
import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from outrider.core.frames import Pose
from outrider.core.process.faster_choice import FasterChoice
from outrider.core.process.helper_threads import at_most, helpers
from outrider.loader.materials import library_materials
from outrider.sensors.lidar import sweep
from outrider.sensors.lidar.sweep import LidarSweep, sectors
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.vehicles.robot import load_robot
from outrider.world.model import Geometry, Inertial, Link, Model, World
from outrider.world.shapes import Box, Plane

VLP = SensorEntry("velodyne", "platt-vlp16", link="mid_mount", pose=PoseSpec(z=0.1377))
DELAYED = replace(VLP, latency_s=0.013)
OWN = replace(VLP, set={"sees_own_robot": True})
JACKAL = load_robot("jackal").bare()


@pytest.fixture(autouse=True)
def always(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Cast ahead in every revolution, however busy the machine is; count what is finished so."""
    finished: list[int] = []
    finish = LidarSweep.finish

    def counted(self: LidarSweep, *args: Any) -> None:
        finished.append(self.start_ns)
        finish(self, *args)

    monkeypatch.setattr(FasterChoice, "choose", lambda _: True)
    monkeypatch.setattr(LidarSweep, "finish", counted)
    return finished


def yard(movers: bool) -> World:
    ground = Geometry(Plane(), material=library_materials()["grass"])
    wall = Geometry(Box((0.2, 20.0, 4.0)), Pose(np.array([6.1, 0.0, 0.0])))
    models = [Model("ground", (Link("g", None, (), (ground, wall)),), mobility="static")]
    if movers:
        box = Geometry(Box((0.5, 0.5, 0.5)), Pose(np.array([3.0, 0.0, 1.0])))
        models.append(Model("box", (Link("b", Inertial(5.0, 0.2 * np.eye(3)), (box,), (box,)),)))
    return World("yard", tuple(models))


def driven(*entries: SensorEntry, movers: bool = False) -> Simulation:
    made = Simulation(yard(movers), [Participant(JACKAL, "a", sensors=entries)])
    made.drivers.append(lambda s: s.robots["a"].drive(0.8, 0.9) if s.steps % 40 == 0 else None)
    return made


def heard(made: Simulation, duration_s: float) -> list[tuple[int, int, bytes]]:
    """Return all clouds of the next while: measured and published when, and their bytes."""
    clouds = [topic.name for topic in made.bus.topics() if "PointCloud2" in topic.type]
    boxes = [made.bus.subscribe(name, kept="all") for name in clouds]
    made.run(duration_s)
    found = [item for box in boxes for item in iter(box.poll, None)]
    for box in boxes:
        box.close()
    return [(item[0], item.published_ns, item[1].data.tobytes()) for item in found]


@pytest.mark.parametrize("entry", [VLP, DELAYED, OWN], ids=["at once", "delayed", "own robot"])
@pytest.mark.parametrize("movers", [False, True], ids=["alone", "movers"])
def test_with_and_without_helpers_messages_are_the_same(
    entry: SensorEntry, movers: bool, always: list[int]
) -> None:
    with at_most(0):
        expected, state = heard(alone := driven(entry, movers=movers), 0.42), alone.state_hash
    assert not always
    with at_most(1):
        found = heard(helped := driven(entry, movers=movers), 0.42)
    assert len(found) >= 3
    assert found == expected
    assert helped.state_hash == state
    assert len(always) >= 3


def test_several_lidars_have_a_helper_each(always: list[int]) -> None:
    two = VLP, SensorEntry("front", "velodyne-vlp16", link="mid_mount", pose=PoseSpec(x=0.1, z=0.3))
    with at_most(0):
        expected = heard(driven(*two), 0.32)
    with at_most(2):
        assert heard(driven(*two), 0.32) == expected
    assert len(expected) == 6
    assert len(always) >= 4


def test_who_listens_from_the_middle_of_a_revolution_hears_all_of_it(always: list[int]) -> None:
    with at_most(0):
        (alone := driven(VLP)).run(0.16)
        expected = heard(alone, 0.2)
    with at_most(1):
        (helped := driven(VLP)).run(0.16)
        assert heard(helped, 0.2) == expected
    assert always


def test_a_reset_in_the_middle_of_a_revolution_starts_anew() -> None:
    with at_most(1):
        made = driven(VLP)
        first = heard(made, 0.25)
        made.reset()
        assert heard(made, 0.25) == first


def test_a_saved_state_goes_on_with_the_same_messages() -> None:
    with at_most(1):
        made = driven(VLP)
        heard(made, 0.26)
        saved = made.get_state()
        later = heard(made, 0.2)
        made.set_state(saved)
        assert heard(made, 0.2) == later


def test_a_past_that_is_forgotten_within_a_revolution_is_not_used() -> None:
    found = []
    for helping in (0, 1):
        with at_most(helping):
            made = driven(VLP)
            heard(made, 0.26)
            made.history.forget()
            found.append(heard(made, 0.1))
    assert found[0] == found[1]


def test_an_error_of_a_helper_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: Any) -> None:
        raise MemoryError("no room for rays")

    monkeypatch.setattr("outrider.sensors.lidar.sweep.cast", broken)
    with at_most(1), pytest.raises(MemoryError, match="no room"):
        heard(driven(VLP), 0.3)


def test_sectors_cover_every_ray_once_and_only_when_it_was_fired() -> None:
    offsets = np.tile(np.arange(0, 1000, 10), 5)  # 5 channels of 100 columns
    ends, found = sectors(offsets)
    covered = [ray for runs in found for a, b in runs.tolist() for ray in range(a, b)]
    assert sorted(covered) == list(range(500))
    for end, runs in zip(ends, found, strict=True):
        assert all(a % 16 == 0 for a, _ in runs.tolist())
        assert all(offsets[a:b].max() <= end for a, b in runs.tolist())


def test_what_rays_are_cast_in_stays_until_they_are_cast(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_end, real = threading.Event(), threading.Event(), sweep.cast

    def slow(*args: Any) -> None:
        begun.set()
        may_end.wait(30.0)
        real(*args)

    monkeypatch.setattr(sweep, "cast", slow)
    made = driven(VLP)
    clouds = [topic.name for topic in made.bus.topics() if "PointCloud2" in topic.type]
    box = made.bus.subscribe(clouds[0])
    with at_most(1):
        while not begun.is_set() and made.steps < 400:
            made.step()
        assert begun.is_set()
        lidar: Any = made.sampler.named["a/velodyne"].sensor
        tracer = weakref.ref(lidar._sweep.static_view.tracer)
        del made, box, lidar
        gc.collect()
        assert tracer() is not None
        may_end.set()
        helpers().settle()
        gc.collect()
        assert tracer() is None
