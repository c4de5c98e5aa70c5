"""On every world of the library a Jackal stands at twenty places and drives twenty metres."""

import numpy as np
import pytest
from standing_rig import smooth, stands, world_of
from wandering import Wanderer

from outrider.core.frames import Pose, matrix_from_quaternion
from outrider.loader.library import library_names
from outrider.scene.free_place import intrusion
from outrider.scene.ground_pose import place_on_ground
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot
from outrider.vehicles.rows import RowMaker
from outrider.world.tessellate import tessellate

SLOW = {"campus", "rural", "lunar-gravity", "lunar-smooth"}
# Where twenty metres ahead of the start are free. In the others a wall, an edge or a boulder comes
# before: there the Jackal turns away from it and drives on.
OPEN = {
    "agriculture",
    "campus",
    "empty",
    "ice",
    "inspection",
    "loam",
    "rural",
    "slope",
}
PLACES, WAY = 20, 20.0  # m
UPRIGHT = 0.93  # cosine of the steepest tilt at which it is put down
SETTLE_S, WATCH_S = 0.6, 0.2


def marked(name):
    return pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name


@pytest.fixture(scope="module", params=[marked(name) for name in library_names("worlds")])
def simulation(request):
    world = smooth(world_of(request.param))
    jackal = Participant(load_robot("jackal").bare(), "jackal", world.start)
    made = Simulation(world, [jackal])
    made.rig.engine.watch_contacts = True
    made.world_name = request.param
    return made


def stance(simulation):
    robot = simulation.rig.vehicles[0].robot
    return RowMaker(robot, "jackal", simulation.rig.assembly).stance


def free_poses(simulation, count):
    """Yield random poses on the ground with nothing around or above them."""
    scene, random = simulation.rig.scene, np.random.default_rng(1)
    height, footprint = stance(simulation)
    low, high = scene.static.surface.low[:2] + 1.0, scene.static.surface.high[:2] - 1.0
    top, found = ground_top(simulation), 0
    for _ in range(5000):
        x, y = random.uniform(low, high)
        asked = Pose.from_rpy([x, y, 0.0], [0, 0, random.uniform(-np.pi, np.pi)])
        pose = place_on_ground(scene, asked, footprint, height)
        tilt = matrix_from_quaternion(pose.rotation)[2, 2]
        if tilt < UPRIGHT or pose.position[2] > top + 0.15 or intrusion(scene, pose, (2.0, 2.0))[0]:
            continue
        yield pose
        found += 1
        if found == count:
            return
    raise AssertionError("there are not enough free places")


def ground_top(simulation):
    """Return how high the ground reaches: what is higher is a roof or a table."""
    ground = [p for p in simulation.rig.assembly.static if "ground" in p.name or "floor" in p.name]
    return max(
        g.pose.apply(tessellate(g.shape).vertices)[:, 2].max() for p in ground for g in p.colliders
    )


def place(simulation, pose):
    rig, still = simulation.rig, np.zeros(3)
    rig.engine.place(rig.assembly.root("jackal"), pose, still, still)
    rig.vehicles[0].tyres["bristle"] = rig.vehicles[0].tyres["force"] = 0.0


def test_a_jackal_neither_sinks_nor_floats_at_twenty_places(simulation):
    for pose in free_poses(simulation, PLACES):
        place(simulation, pose)
        simulation.run(SETTLE_S)
        before = simulation.robots["jackal"].pose.position[2]
        assert stands(simulation)
        simulation.run(WATCH_S)
        assert abs(simulation.robots["jackal"].pose.position[2] - before) < 1e-3


def test_it_drives_twenty_metres_without_invisible_walls(simulation):
    simulation.reset()
    driver, begin = Wanderer(simulation), simulation.robots["jackal"].pose.position.copy()
    driver.drive(WAY, seconds=60.0)
    assert driver.way >= WAY
    if simulation.world_name in OPEN:
        gone = np.linalg.norm((simulation.robots["jackal"].pose.position - begin)[:2])
        assert gone > 0.93 * WAY
