"""People as a simulation has them: where they are, whom they meet, and what is seen of them."""

import json
from typing import get_args

import numpy as np
import pytest

from outrider.actors.spec import ActorSpec
from outrider.scenarios.build import build
from outrider.scenarios.load import loads
from outrider.scenarios.session.session import Session

STANDING = "robots: [{model: jackal, pose: {x: 0, y: 0}}]"


def simulation(actors, robots="robots: []", world="empty", seed=1, engine="mujoco", more=""):
    text = f"world: {world}\n{robots}\nseed: {seed}\nphysics: {{engine: {engine}}}\n{more}\n"
    return build(loads(text + "actors:\n" + "\n".join(f"  - {actor}" for actor in actors)))


def place(sim, name):
    return sim.state.bodies[sim.rig.assembly.root(name)]["position"].copy()


def track(sim, name, seconds, every=0.1):
    places = [place(sim, name)]
    for _ in range(round(seconds / every)):
        sim.run(every)
        places.append(place(sim, name))
    return np.array(places)


def test_a_person_walks_from_point_to_point_at_its_speed():
    sim = simulation(["{type: person, points: [[0, 0], [6, 0], [6, 4]], speed: 1.2, loop: false}"])
    way = track(sim, "person", 9.9)
    assert np.abs(way[10:40, 1]).max() < 0.01
    speed = np.linalg.norm(np.diff(way[:, :2], axis=0), axis=1) / 0.1
    np.testing.assert_allclose(speed[25:45], 1.2, atol=0.01)
    np.testing.assert_allclose(way[-1, :2], [6, 4], atol=0.2)
    assert np.min(np.linalg.norm(way[:, :2] - [6, 0], axis=1)) < 0.4


def test_velocities_are_those_of_the_way_made():
    sim = simulation(["{type: person, points: [[0, 0], [8, 0]]}"])
    sim.run(2.0)
    body = sim.rig.assembly.frame("person/left_shank").body
    before, velocity = sim.state.bodies[body]["position"].copy(), None
    sim.step()
    velocity = (sim.state.bodies[body]["position"] - before) / sim.rig.step_s
    np.testing.assert_allclose(sim.state.bodies[body]["velocity"], velocity, atol=1e-6)


def test_feet_are_on_the_ground_and_legs_swing():
    sim = simulation(["{type: person, points: [[0, 0], [20, 0]], height: 1.75}"])
    sim.run(2.0)
    shanks = [sim.rig.assembly.frame(f"person/{side}_shank").body for side in ("left", "right")]
    ahead, lowest = [], []
    for _ in range(60):
        sim.run(0.02)
        rows = sim.state.bodies[shanks]
        soles = rows["position"] + _turned(rows["rotation"], [0, 0, -0.49])
        ahead.append(rows["position"][0, 0] - rows["position"][1, 0])
        lowest.append(soles[:, 2].min())
    assert max(ahead) > 0.2
    assert min(ahead) < -0.2
    assert np.abs(lowest).max() < 0.03


def _turned(rotations, vector):
    from outrider.core.rotations import turned

    return turned(rotations, np.array(vector, float))


@pytest.mark.parametrize("engine", ["mujoco", "bullet", "kinematic"])
def test_every_engine_has_people_at_the_same_places(engine):
    if engine == "bullet":
        pytest.importorskip("pybullet", reason="PyBullet is not installed: outrider[bullet]")
    sim = simulation(["{type: person, points: [[0, 0], [6, 0]], loop: false}"], engine=engine)
    sim.run(2.0)
    assert place(sim, "person")[0] == pytest.approx(2.01, abs=0.01)


def test_the_same_seed_gives_the_same_run_and_another_one_gives_another():
    wander = ["{type: person, count: 4, area: {size: [8, 8], centre: [6, 0]}}"]

    def run(seed):
        sim = simulation(wander, STANDING, seed=seed)
        sim.run(3.0)
        return sim.state_hash

    assert run(1) == run(1)
    assert run(1) != run(2)


def test_reset_save_and_restore_continue_to_the_last_bit(tmp_path):
    actors = """
  - {type: person, count: 3, area: {size: [8, 8], centre: [6, 0]}}
  - {type: herd, count: 4, area: {centre: [-8, 0], size: [6, 6]}}
  - {type: car, count: 2, points: [[-15, -9], [15, -9], [15, 9], [-15, 9]], stops: [{x: 0, y: -9}]}
"""
    scenario = loads(f"{STANDING}\nactors:{actors}")
    assert {type(entry) for entry in scenario.actors} == set(get_args(ActorSpec))  # every kind
    session = Session(scenario)
    session.simulation.run(2.0)
    session.save(tmp_path / "state")
    session.simulation.run(1.0)
    after = session.simulation.state_hash
    session.load(tmp_path / "state")
    session.simulation.run(1.0)
    assert session.simulation.state_hash == after
    session.reset()
    session.simulation.run(3.0)
    assert session.simulation.state_hash == after


def test_people_go_on_when_something_else_is_changed():
    from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

    def run(change):
        session = Session(loads("actors: [{type: person, points: [[0, 3], [20, 3]]}]"))
        session.simulation.run(1.0)
        if change:
            session.add(ObjectSpec("box", BoxSpec(), PoseSpec(x=30.0)))
        session.simulation.run(1.0)
        sim = session.simulation
        return place(sim, "person"), place(sim, "person") * 0 + sim.state.bodies[
            sim.rig.assembly.frame("person/left_thigh").body
        ]["position"]

    np.testing.assert_allclose(run(True), run(False), atol=1e-9)


def test_who_avoids_a_robot_keeps_a_distance_and_still_gets_there():
    sim = simulation(["{type: person, points: [[-5, 0.05], [5, 0]], loop: false}"], STANDING)
    way = track(sim, "person", 11.0)
    robot = place(sim, "jackal")
    assert np.linalg.norm(way[:, :2] - robot[:2], axis=1).min() > 0.6
    assert len(sim.collisions) == 0
    np.testing.assert_allclose(way[-1, :2], [5, 0], atol=0.3)


def test_who_ignores_robots_runs_into_them_and_pushes_them():
    sim = simulation(
        ["{type: person, points: [[-2, 0], [4, 0]], loop: false, robots: ignore}"], STANDING
    )
    sim.run(4.0)
    assert place(sim, "jackal")[0] > 0.5
    names = {name for c in sim.collisions for name in (c.first, c.second)}
    assert any(name.startswith("person/") for name in names)
    assert any(name.startswith("jackal/") for name in names)


def test_people_keep_apart_and_pass_each_other():
    sim = simulation(
        [
            "{type: person, name: a, points: [[-4, 0], [4, 0]], loop: false}",
            "{type: person, name: b, points: [[4, 0], [-4, 0]], loop: false}",
        ]
    )
    gaps = []
    for _ in range(90):
        sim.run(0.1)
        gaps.append(np.linalg.norm(place(sim, "a") - place(sim, "b")))
    assert min(gaps) > 0.4
    np.testing.assert_allclose(place(sim, "a")[:2], [4, 0], atol=0.3)
    np.testing.assert_allclose(place(sim, "b")[:2], [-4, 0], atol=0.3)


def test_who_wanders_stays_in_the_area_and_out_of_walls():
    world = (
        "{ground: {type: flat}, objects: "
        "[{name: wall, shape: {type: box, size: [0.2, 5, 2]}, pose: {x: 0}}]}"
    )
    sim = simulation(["{type: person, count: 4, area: {size: [6, 5]}}"], world=world)
    for _ in range(40):
        sim.run(0.5)
        for number in range(1, 5):
            x, y, _ = place(sim, f"person_{number}")
            assert abs(x) < 3.5
            assert abs(y) < 3.0
            assert abs(x) > 0.1 or abs(y) > 2.5


def test_people_follow_slopes():
    sim = simulation(
        ["{type: person, points: [[0, 0], [10, 0]]}"],
        world="{ground: {type: flat, slope_deg: 10}}",
    )
    sim.run(4.0)
    x, _, z = place(sim, "person")
    assert x > 4.0
    assert z == pytest.approx(x * np.tan(np.radians(10)), abs=0.09)


def test_a_timetable_is_kept_whatever_is_in_the_way():
    timed = "{type: person, points: [[-3, 0], [1, 0], [1, 2]], times: [1, 5, 6], loop: false}"
    sim = simulation([timed], STANDING)
    sim.run(1.0)
    np.testing.assert_allclose(place(sim, "person")[:2], [-3, 0], atol=1e-6)
    sim.run(2.0)
    np.testing.assert_allclose(place(sim, "person")[:2], [-1, 0], atol=1e-6)
    sim.run(4.0)
    np.testing.assert_allclose(place(sim, "person")[:2], [1, 2], atol=1e-6)


def scan_of_a_person():
    """Return ranges and heights of the points on a person 4 m ahead of a scanner at its height."""
    entry = "sensors: [{name: scan, model: velodyne-vlp16, pose: {z: 0.8}}]"
    sim = simulation(["{type: person, points: [[4, 0]], loop: false, height: 1.75}"], more=entry)
    topic = next(name for name in sim.topics() if "points" in name)
    box = sim.bus.subscribe(topic)
    sim.run(0.25)
    from outrider.messages.point_cloud import cloud_records

    cloud = cloud_records(box.poll()[1])
    return np.column_stack([cloud["x"], cloud["y"], cloud["z"]])


def test_a_scanner_meets_legs_and_trunk_where_they_are():
    points = scan_of_a_person()
    near = points[(np.abs(points[:, 1]) < 0.5) & (np.abs(points[:, 0] - 4) < 0.5)]
    high = near[:, 2] + 0.8
    legs, trunk = near[(high > 0.15) & (high < 0.75)], near[(high > 0.95) & (high < 1.4)]
    assert len(legs) > 10
    assert len(trunk) > 10
    np.testing.assert_allclose(legs[:, 0].min(), 3.93, atol=0.06)
    np.testing.assert_allclose(trunk[:, 0].min(), 3.87, atol=0.06)
    assert np.abs(legs[:, 1]).min() < 0.12  # two legs ...
    assert (legs[:, 1] > 0.03).any()
    assert (legs[:, 1] < -0.03).any()
    assert not (np.abs(legs[legs[:, 2] + 0.8 < 0.6][:, 1]) < 0.015).any()  # ... with a gap


def test_labels_name_a_person_part_by_part():
    camera = "{name: cam, model: segmentation-camera, pose: {z: 1.0}}"
    sim = simulation(["{type: person, name: anna, points: [[4, 0]]}"], more=f"sensors: [{camera}]")
    boxes = [sim.bus.subscribe(f"/cam/{what}") for what in ("labels", "names")]
    sim.run(0.2)
    labels, names = (box.poll()[1] for box in boxes)
    table = json.loads(names.data)
    seen = {table[str(k)] for k in np.unique(labels.data.view(np.int32)).tolist()}
    assert {"anna/body", "anna/left_thigh", "anna/right_arm"} <= seen
