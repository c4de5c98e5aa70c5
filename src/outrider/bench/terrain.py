"""A mesh terrain of any size for benchmarks, and a Husky that drives on it."""

import math

import numpy as np

from outrider.core.frames import Pose
from outrider.core.seeds import generator
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import Robot, load_robot
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import HeightField
from outrider.world.tessellate import heightfield_mesh

SIDE = 60.0  # m
_APART = 4.0  # m from robot to robot, on a square grid


def heights(cells: int) -> HeightField:
    """Return gentle hills on a grid of cells by cells: twice as many triangles as cells."""
    rng = generator(7, "bench")
    x = np.linspace(-SIDE / 2, SIDE / 2, cells + 1)
    z = np.zeros((cells + 1, cells + 1))
    for _ in range(12):
        kx, ky = rng.uniform(-0.4, 0.4, 2)
        z += 0.08 * np.sin(kx * x[:, None] + ky * x[None, :] + rng.uniform(0, 6.28))
    return HeightField(z, (SIDE, SIDE))


def world(cells: int) -> World:
    """Return a world whose ground is a mesh for rays and the same heights for the engine."""
    field = heights(cells)
    material = Material(name="ground", friction=0.8)
    mesh = Geometry(heightfield_mesh(field), material=material)
    ground = Link("ground", None, (mesh,), (Geometry(field, material=material),))
    return World("bench", (Model("ground", (ground,), mobility="static"),))


def driving(
    cells: int, robots: int, *, listen: bool = True, robot: Robot | None = None
) -> Simulation:
    """Return robots that drive in circles, with somebody listening to every topic.

    They are Huskies without sensors unless another robot is given.
    """
    husky = robot or load_robot("husky").bare()
    side = math.ceil(math.sqrt(robots))
    places = [(i % side - (side - 1) / 2, i // side - (side - 1) / 2, 0.0) for i in range(robots)]
    taking_part = [
        Participant(husky, f"husky_{i}", Pose(_APART * np.array(place)), namespace=f"husky_{i}")
        for i, place in enumerate(places)
    ]
    simulation = Simulation(world(cells), taking_part)
    if listen:
        for topic in simulation.bus.topics():
            simulation.bus.subscribe(topic.name, kept="latest")

    def drive(sim: Simulation) -> None:
        if sim.steps % 40 == 0:
            for robot in sim.robots.values():
                robot.drive(0.5, 0.2)

    simulation.drivers.append(drive)
    simulation.run(1.0)
    return simulation
