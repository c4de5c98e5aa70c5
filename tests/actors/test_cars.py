"""Cars on lanes: distances, stop lines, lights, crossings, and what is in their way."""

import numpy as np
import pytest
from test_people import simulation, track

from outrider.actors.lane import TrafficLane
from outrider.actors.obstacle_ahead import first_met
from outrider.actors.spec import CarSpec, StopSpec
from outrider.actors.stop_lines import is_red
from outrider.actors.traffic import Traffic

STRAIGHT = "points: [[0, 0], [200, 0]], loop: false"


def speeds(way, every=0.1):
    return np.linalg.norm(np.diff(way[:, :2], axis=0), axis=1) / every


def test_a_car_drives_its_lane_at_the_limit_and_its_wheels_turn_with_it():
    sim = simulation([f"{{type: car, {STRAIGHT}, speed: 6}}"])
    way = track(sim, "car", 12.0, every=0.2)
    assert speeds(way, 0.2)[-1] == pytest.approx(6.0, abs=0.05)
    assert np.abs(way[:, 1]).max() < 1e-6
    wheel = sim.state.bodies[sim.rig.assembly.frame("car/front_left_wheel").body]
    assert wheel["angular_velocity"][1] == pytest.approx(6.0 / 0.315, rel=0.01)


def test_limits_leg_by_leg_and_curves_slow_a_car_down():
    points = ((0.0, 0.0), (100.0, 0.0), (100.0, 60.0))
    lane = TrafficLane(CarSpec(points=points, loop=False, speed=20.0, speeds=(10.0, 5.0)))
    assert lane.limits(np.array([40.0]))[0] == pytest.approx(10.0)
    assert lane.limits(np.array([lane.length - 5.0]))[0] == pytest.approx(5.0)
    fast = TrafficLane(CarSpec(points=points, loop=False, speed=20.0))
    corner = fast.nearest(98.0, 2.0)
    bend = float(np.abs(fast.bends(np.array([corner])))[0])
    assert fast.limits(np.array([corner]))[0] == pytest.approx(np.sqrt(1.8 / bend), rel=0.05)


def test_cars_keep_their_distance_to_one_that_is_slower():
    sim = simulation(
        [
            "{type: car, name: slow, points: [[25, 0], [200, 0]], loop: false, speed: 3}",
            f"{{type: car, name: fast, {STRAIGHT}, speed: 12}}",
        ]
    )
    gaps = []
    for _ in range(60):
        sim.run(0.25)
        slow, fast = (sim.state.bodies[sim.rig.assembly.root(n)] for n in ("slow", "fast"))
        gaps.append(slow["position"][0] - fast["position"][0] - 4.3)
    assert min(gaps) > 2.0
    assert gaps[-1] < 12.0  # it has come near
    assert fast["velocity"][0] == pytest.approx(3.0, abs=0.3)


def test_a_car_stands_at_a_stop_line_and_goes_on():
    stop = "stops: [{x: 30, y: 0, wait_s: 2}]"
    sim = simulation([f"{{type: car, {STRAIGHT}, speed: 6, {stop}}}"])
    way = track(sim, "car", 20.0, every=0.2)
    standing = np.flatnonzero((speeds(way, 0.2) < 0.15) & (way[1:, 0] > 1.0))
    front = way[standing, 0] + 3.42
    assert ((front > 28.0) & (front < 30.01)).all()
    assert len(standing) >= 8
    assert way[-1, 0] > 32.0


def test_a_light_is_green_then_red():
    light = StopSpec(0.0, 0.0, red_s=10.0, green_s=5.0, offset_s=1.0)
    assert [is_red(light, t) for t in (0.0, 3.9, 4.1, 13.9, 14.1)] == [
        False,
        False,
        True,
        True,
        False,
    ]


def test_a_car_waits_at_a_red_light_until_it_is_green():
    light = "stops: [{x: 30, y: 0, red_s: 12, green_s: 2}]"
    sim = simulation([f"{{type: car, {STRAIGHT}, speed: 6, {light}}}"])
    way = track(sim, "car", 13.8, every=0.2)
    assert way[-1, 0] + 3.42 < 30.01
    assert speeds(way, 0.2)[-1] < 0.1
    assert track(sim, "car", 4.0, every=0.2)[-1, 0] + 3.42 > 30.0


def test_at_a_crossing_whoever_came_first_goes_first():
    sim = simulation(
        [
            "{type: car, name: early, points: [[-30, 0], [60, 0]], loop: false, speed: 6}",
            "{type: car, name: late, points: [[0, -33], [0, 60]], loop: false, speed: 6}",
        ]
    )
    early, late, gaps = [], [], []
    for _ in range(60):
        sim.run(0.25)
        a, b = (sim.state.bodies[sim.rig.assembly.root(n)]["position"] for n in ("early", "late"))
        early.append(a[0])
        late.append(b[1])
        gaps.append(np.linalg.norm(a - b))
    crossed = [np.argmax(np.array(way) > 0.0) for way in (early, late)]
    assert 0 < crossed[0] < crossed[1]
    assert min(gaps) > 4.0


def test_crossings_close_together_are_one_junction():
    def lane(*points):
        return TrafficLane(CarSpec(points=points, loop=False))

    east, west = lane((-50, -2), (50, -2)), lane((50, 2), (-50, 2))
    north, south = lane((2, -50), (2, 50)), lane((-2, 50), (-2, -50))
    traffic = Traffic([east, west, north, south], [1, 1, 1, 1])
    (junction,) = traffic.junctions
    assert junction.spans[0] == pytest.approx((48.0, 52.0))


def test_a_car_stops_for_a_robot_unless_it_ignores_robots():
    robot = "robots: [{model: jackal, pose: {x: 20, y: 0}}]"

    def run(manners):
        sim = simulation([f"{{type: car, {STRAIGHT}, speed: 5, robots: {manners}}}"], robot)
        sim.run(8.0)
        return sim.robots["jackal"].pose.position[0], len(sim.collisions)

    x, collisions = run("avoid")
    assert (x, collisions) == (pytest.approx(20.0, abs=0.05), 0)
    x, collisions = run("ignore")
    assert x > 21.0
    assert collisions > 0


def test_a_car_stands_on_slopes_with_all_wheels():
    world = "{ground: {type: flat, slope_deg: 8}}"
    sim = simulation(["{type: car, points: [[0, 0], [50, 0]], loop: false}"], world=world)
    sim.run(1.0)
    body = sim.state.bodies[sim.rig.assembly.root("car")]
    from outrider.core.frames import rpy_from_quaternion

    assert np.degrees(rpy_from_quaternion(body["rotation"])[1]) == pytest.approx(-8.0, abs=0.2)


def test_what_is_first_on_the_way_is_found_as_by_looking_at_everything():
    random = np.random.default_rng(4)
    places, centres = random.uniform(0, 20, (6, 30, 2)), random.uniform(0, 20, (12, 2))
    reaches, owners = random.uniform(0.2, 2.0, 12), random.integers(-1, 6, 12)
    ends, cars = random.integers(0, 31, 6), np.arange(6)
    marks, circles = first_met(places, ends, cars, centres, reaches, owners)
    near = np.linalg.norm(places[:, :, None] - centres, axis=-1) < reaches
    near &= (owners != cars[:, None, None]) & (np.arange(30) < ends[:, None])[:, :, None]
    for i, seen in enumerate(near):
        met = np.argwhere(seen)
        assert (marks[i], circles[i]) == (tuple(met[0]) if len(met) else (-1, 0))
    assert set(marks) > {-1}
