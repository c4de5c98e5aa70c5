import math
from typing import Any

import numpy as np
import pytest
from body_bench import Bench

from outrider.core.errors import ConfigError
from outrider.core.frames import Array, Pose
from outrider.core.structure import from_data
from outrider.sensors.gnss.error import Accuracy
from outrider.sensors.gnss.geodesy import LocalFrame
from outrider.sensors.gnss.gnss import Gnss, GnssParameters
from outrider.sensors.gnss.quality import Quality, RtkLock
from outrider.sensors.gnss.sky import Sky, above, cofactors
from outrider.world.model import Geometry, GeoOrigin, Link, Model
from outrider.world.shapes import Box

BERLIN = GeoOrigin(52.4559, 13.2973, 60.0)
SECOND = 1_000_000_000
M8 = GnssParameters(single=Accuracy((2.1, 3.5), 5.0, (0.2, 0.4)))


def block(name: str, size: tuple[float, float, float], place: tuple[float, float, float]) -> Model:
    geometry = Geometry(Box(size), Pose(np.array(place)), name=name)
    return Model(name, (Link("link", colliders=(geometry,)),), mobility="static")


def wall_in_the_south() -> tuple[Model, ...]:
    return (block("wall", (200.0, 1.0, 60.0), (0.0, -3.0, 30.0)),)


def closed_box() -> tuple[Model, ...]:
    sides = (block(f"side{i}", (20.0, 1.0, 20.0), (0.0, y, 0.0)) for i, y in enumerate((-5, 5)))
    ends = (block(f"end{i}", (1.0, 20.0, 20.0), (x, 0.0, 0.0)) for i, x in enumerate((-5, 5)))
    return (*sides, *ends, block("roof", (20.0, 20.0, 1.0), (0.0, 0.0, 5.0)))


def receiver(
    parameters: GnssParameters = M8, models: tuple[Model, ...] = (), **more: Any
) -> tuple[Bench, Gnss]:
    bench = Bench(origin=BERLIN, models=models, mobility="scripted")
    return bench, bench.mount(Gnss, parameters, rate_hz=1.0, **more)


def test_an_ideal_receiver_gives_the_place_of_its_antenna() -> None:
    bench = Bench(origin=BERLIN, pose=Pose.from_rpy([30, 40, 2], [0, 0, math.pi / 2]))
    gnss = bench.mount(Gnss, pose=Pose(np.array([0.5, 0.0, 1.0])))
    gnss.sample(0)
    message = gnss.message(5 * SECOND)
    place = LocalFrame(BERLIN).local(message.latitude, message.longitude, message.altitude)
    assert place == pytest.approx([30.0, 40.5, 3.0], abs=1e-6)
    assert message.status.status == 0
    assert message.status.service == 1
    assert message.position_covariance_type == 3
    assert message.header.stamp.sec == 5


def test_velocity_is_the_antennas_and_in_the_axes_asked_for() -> None:
    bench = Bench(origin=BERLIN, mobility="scripted")
    bench.engine.place(0, Pose(), np.array([1.0, 0.0, 0.2]), np.array([0.0, 0.0, 2.0]))
    for axes, expected in (("enu", (1.0, 0.5, 0.2)), ("nwu", (0.5, -1.0, 0.2))):
        arm = Pose(np.array([0.25, 0.0, 0.0]))
        gnss = bench.mount(Gnss, from_data(GnssParameters, {"velocity_axes": axes}), pose=arm)
        gnss.sample(0)
        vector = gnss.velocity_message(0).vector
        assert (vector.x, vector.y, vector.z) == pytest.approx(expected)


def test_errors_match_their_covariance() -> None:
    _, gnss = receiver()
    frame = LocalFrame(BERLIN)
    errors, covariances = [], []
    for k in range(4000):
        gnss.sample(k * SECOND)
        errors.append(frame.local(*gnss.position))
        covariances.append(gnss.covariance)
    pairs = zip(errors, covariances, strict=True)
    normalised = np.array([np.linalg.solve(np.linalg.cholesky(c), e) for e, c in pairs])
    assert normalised.var(axis=0) == pytest.approx(np.ones(3), rel=0.1)
    assert np.abs(normalised.mean(axis=0)).max() < 0.15
    later = (normalised[5:] * normalised[:-5]).mean()
    assert later == pytest.approx(math.exp(-1), abs=0.08)  # it wanders with the 5 s asked for


def test_under_the_open_sky_the_covariance_is_the_makers() -> None:
    _, gnss = receiver()
    gnss.sample(0)
    variance = np.diag(gnss.covariance)
    assert variance[:2].mean() == pytest.approx(2.1**2 + 0.2**2)
    assert variance[2] == pytest.approx(3.5**2 + 0.4**2)
    assert np.linalg.eigvalsh(gnss.covariance).min() > 0


def test_a_wall_hides_satellites_and_a_box_all() -> None:
    _, open_sky = receiver()
    _, beside = receiver(models=wall_in_the_south())
    _, inside = receiver(models=closed_box())
    counts = []
    for k in range(0, 86_000, 2000):
        for gnss in (open_sky, beside, inside):
            gnss.sample(k * SECOND)
        counts.append([gnss.satellites[1] for gnss in (open_sky, beside, inside)])
        if beside.quality:
            assert beside.dilution[2] >= open_sky.dilution[2] - 1e-12
    sky, wall, box = np.array(counts).T
    assert (sky >= 6).all()
    assert (sky <= 14).all()
    assert (wall <= sky).all()
    assert 0.3 < wall.mean() / sky.mean() < 0.75
    assert not box.any()


def test_beside_a_wall_errors_grow_across_it() -> None:
    _, open_sky = receiver()
    _, beside = receiver(models=wall_in_the_south())
    growth = []
    for k in range(0, 86_000, 2000):
        open_sky.sample(k * SECOND)
        beside.sample(k * SECOND)
        if beside.quality == Quality.SINGLE:
            growth.append(np.sqrt(np.diag(beside.covariance) / np.diag(open_sky.covariance)))
    assert len(growth) > 10
    assert np.min(growth) >= 1.0 - 1e-9
    east, north, _ = np.median(growth, axis=0)
    assert north > 1.5 * east  # the wall runs east


def test_without_a_fix_the_message_says_so() -> None:
    _, gnss = receiver(models=closed_box())
    gnss.sample(0)
    message = gnss.message(0)
    assert message.status.status == -1
    assert math.isnan(message.latitude)
    assert message.position_covariance_type == 0
    assert math.isnan(gnss.velocity_message(0).vector.x)
    status = gnss.status_message(0)
    assert (status.quality, status.satellites) == (0, 0)
    assert math.isnan(status.hdop)


def test_its_own_robot_hides_nothing_and_far_things_neither() -> None:
    _, gnss = receiver(GnssParameters(sight_m=2.0), models=wall_in_the_south())
    gnss.sample(0)
    assert gnss.satellites[0] == gnss.satellites[1]
    _, free = receiver(GnssParameters(occlusion=False), models=closed_box())
    free.sample(0)
    assert free.quality == Quality.SINGLE


def rtk() -> GnssParameters:
    return GnssParameters(
        rtk_fixed=Accuracy((0.01, 0.02)),
        rtk_float=Accuracy((0.3, 0.5)),
        single=Accuracy((2.0, 3.0)),
        fixed_satellites=8,
        float_satellites=6,
        fix_time_s=10.0,
        satellites=60,
    )


def test_rtk_is_lost_in_a_tunnel_and_comes_back_by_float() -> None:
    bench = Bench(origin=BERLIN, models=closed_box(), mobility="scripted")
    gnss = bench.mount(Gnss, rtk(), rate_hz=1.0)
    outside, inside = Pose(np.array([0.0, 0.0, 100.0])), Pose()
    found = []
    for k, pose in enumerate([outside] * 3 + [inside] * 2 + [outside] * 12):
        bench.engine.place(0, pose, np.zeros(3), np.zeros(3))
        gnss.sample(k * SECOND)
        found.append(gnss.quality)
    fixed, floating = Quality.RTK_FIXED, Quality.RTK_FLOAT
    assert found == [fixed] * 3 + [Quality.NONE] * 2 + [floating] * 9 + [fixed] * 3
    assert gnss.message(0).status.status == 2  # STATUS_GBAS_FIX
    assert np.sqrt(np.diag(gnss.covariance)[:2].mean()) == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("seen", "quality"),
    [(3, Quality.NONE), (5, Quality.SINGLE), (7, Quality.RTK_FLOAT), (9, Quality.RTK_FIXED)],
)
def test_the_kind_of_fix_depends_on_satellites_seen(seen: int, quality: Quality) -> None:
    _, gnss = receiver(rtk())
    gnss.dilution = (1.0, 1.0, 1.4)
    assert gnss._judge(seen, 1.0) == quality


def test_a_lock_needs_its_time_again_after_each_loss() -> None:
    lock = RtkLock(6, 3.0)
    assert [lock.update(n, 1.0) for n in (9, 5, 6, 6, 6)] == [True, False, False, False, True]


def test_statuses_are_those_of_the_ros_message() -> None:
    assert [q.status for q in Quality] == [-1, 0, 1, 2, 2]


def test_the_same_seed_gives_the_same_fixes_and_a_state_repeats_them() -> None:
    def fixes(gnss: Gnss) -> Array:
        rows = []
        for k in range(30):
            gnss.sample(k * SECOND)
            rows.append([*gnss.position, *gnss.velocity])
        return np.array(rows)

    noisy = GnssParameters(single=Accuracy((2.0, 3.0)), velocity_sigma=(0.1, 0.1))
    _, gnss = receiver(noisy, seed=4)
    start = gnss.get_state()
    first = fixes(gnss)
    gnss.set_state(start)
    assert (fixes(gnss) == first).all()
    assert (fixes(receiver(noisy, seed=4)[1]) == first).all()
    assert (fixes(receiver(noisy, seed=5)[1]) != first).any()


def test_two_receivers_see_the_same_sky_with_errors_of_their_own() -> None:
    (_, one), (_, two) = receiver(seed=1), receiver(seed=2)
    for gnss in (one, two):
        gnss.sample(0)
    assert one.dilution == two.dilution
    assert one.position != two.position


def test_satellites_stand_as_their_orbits_allow() -> None:
    random_times = np.linspace(0, 86_164, 60)
    sky = Sky(BERLIN, 31, 1)
    up = [d[above(d, 0.0)] for d in map(sky.directions, random_times)]
    assert 9 <= np.mean([len(d) for d in up]) <= 14  # 31 satellites, a bit over a third are up
    everything = np.concatenate(up)
    assert np.linalg.norm(everything, axis=1) == pytest.approx(1.0)
    azimuth = np.degrees(np.arctan2(everything[:, 0], everything[:, 1]))
    elevation = np.degrees(np.arcsin(everything[:, 2]))
    # orbits inclined by 55 degrees leave a hole around the pole star at this latitude
    assert not ((np.abs(azimuth) < 15) & (np.abs(elevation - 45) < 12)).any()
    assert (elevation > 70).any()


def test_satellites_move_slowly_and_return_after_a_sidereal_day() -> None:
    sky = Sky(BERLIN, 31, 1)
    minute = np.degrees(np.arccos(np.sum(sky.directions(0) * sky.directions(60), axis=1)))
    assert 0.1 < minute.max() < 1.0
    assert sky.directions(86_164.0) == pytest.approx(sky.directions(0), abs=1e-3)


def test_dilution_of_a_known_geometry() -> None:
    """One overhead, three on the horizon 120 degrees apart: worked out by hand."""
    ring = [(math.sin(a), math.cos(a), 0.0) for a in (0, 2 * math.pi / 3, 4 * math.pi / 3)]
    found = cofactors(np.array([*ring, (0.0, 0.0, 1.0)]))
    assert found is not None
    assert np.diag(found) == pytest.approx([2 / 3, 2 / 3, 4 / 3, 1 / 3])
    assert cofactors(np.array(ring)) is None
    assert cofactors(np.array([*ring, ring[0]])) is None  # four, but all on the horizon


def test_bad_figures_are_refused() -> None:
    with pytest.raises(ConfigError, match="satellites: must be at least 4"):
        from_data(GnssParameters, {"satellites": 2})
    with pytest.raises(ConfigError, match="cannot be negative"):
        from_data(GnssParameters, {"single": {"wander_m": [-1.0, 1.0]}})
    with pytest.raises(ConfigError, match="did you mean 'galileo'"):
        from_data(GnssParameters, {"constellations": ["gallileo"]})
