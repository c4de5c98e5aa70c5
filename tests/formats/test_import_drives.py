"""A Jackal in the true worlds of others drives as far as is seen to be free, on what is seen."""

import numpy as np
import pytest
from imported_worlds import WORLDS, obstacle, race

from outrider.core.frames import Pose
from outrider.physics.colliders.distance import nearest
from outrider.scene.triangles import triangles
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.world.assembly import WORLD

SPEED, TIME = 1.0, 6.0  # m/s, s
HEADINGS = np.radians(np.arange(0, 360, 60) + 7.0)
NEAR = 0.06  # m from a contact to what is seen there


@pytest.fixture(scope="module", params=WORLDS, ids=lambda make: make.__name__)
def simulation(request, shared_data):
    robot = Participant(load_robot("jackal").bare(), "jackal")
    made = Simulation(request.param(shared_data), [robot])
    made.rig.engine.watch_contacts = True
    return made


@pytest.fixture(scope="module")
def seen(simulation):
    """Corners of all triangles that stand still, as cameras and rays see them."""
    corners = []
    for part in simulation.rig.assembly.static:
        for geometry in part.visuals or part.colliders:
            mesh = triangles(geometry.shape)
            corners.append(geometry.pose.apply(mesh.vertices)[mesh.faces])
    return np.concatenate(corners)


def standing(simulation, heading):
    """Put the robot back to its start, turned."""
    simulation.reset()
    handle = simulation.robots["jackal"]
    above = handle.pose.position + np.array([0.0, 0.0, 0.05])
    body, still = simulation.rig.assembly.root("jackal"), np.zeros(3)
    simulation.rig.engine.place(body, Pose.from_rpy(above, [0.0, 0.0, heading]), still, still)
    for _ in range(200):
        simulation.step()
    return handle


@pytest.mark.parametrize("heading", HEADINGS)
def test_it_drives_until_something_seen_is_in_its_way(simulation, seen, heading):
    handle = standing(simulation, heading)
    engine, way = simulation.rig.engine, 0.0
    for _ in range(round(TIME / simulation.rig.step_s)):
        before = handle.pose.position.copy()
        handle.drive(SPEED, 0.0)
        simulation.step()
        way += float(np.linalg.norm(handle.pose.position - before))
        met = [c for c in engine.contacts() if WORLD in (c.first, c.second)]
        if met:
            points = np.array([c.point for c in met])
            assert nearest(points, seen).max() < NEAR  # nothing invisible
            break
    else:
        assert way > 0.9 * SPEED * TIME
    place = handle.pose.position
    ground = simulation.rig.scene.ground_below(place[None, :2], place[2] + 0.3)[0]
    assert -0.02 < place[2] - ground < 0.25  # it stands on what is seen


@pytest.mark.parametrize("simulation", [race, obstacle], indirect=True)  # the level ones
@pytest.mark.parametrize("heading", HEADINGS)
def test_it_does_not_drive_through_what_is_seen(simulation, heading):
    handle = standing(simulation, heading)
    start = handle.pose.position + np.array([0.0, 0.0, 0.1])
    for _ in range(round(12.0 / simulation.rig.step_s)):
        handle.drive(SPEED, 0.0)
        simulation.step()
    way = handle.pose.position[:2] - start[:2]
    far = float(np.linalg.norm(way))
    direction = np.array([[*(way / far), 0.0]])
    itself = simulation.rig.assembly.models.index("jackal")
    scene = simulation.rig.scene
    hits = scene.cast(start[None], direction, 100.0, simulation.state, itself)
    assert hits.distance[0] > far
