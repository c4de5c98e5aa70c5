"""LiDARs for benchmarks: one on a Jackal that drives over hills, and whole simulations of them."""

import math
from functools import cached_property
from typing import Any

import numpy as np

from outrider.bench import terrain
from outrider.core.clock import to_ns
from outrider.core.frames import Pose
from outrider.core.seeds import generator
from outrider.scene.surface import Floats32, Surface
from outrider.scene.tree_tracer import TreeTracer
from outrider.sensors.catalogue import plan_sensor
from outrider.sensors.history import History
from outrider.sensors.lidar.lidar import Lidar
from outrider.sensors.site import Site
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.vehicles.robot import load_robot
from outrider.world.model import World

_MAST = PoseSpec(z=0.1377)  # above the Jackal's mounting plate


def entry(name: str, model: str, link: str = "mid_mount", **more: object) -> SensorEntry:
    """Return a sensor on the Jackal's mast."""
    return SensorEntry(name, model, link=link, pose=_MAST, **more)  # type: ignore[arg-type]


def driving(cells: int, sensors: tuple[SensorEntry, ...]) -> Simulation:
    """Return a Jackal with sensors that drives in circles, with a listener on every topic."""
    jackal = Participant(load_robot("jackal").bare(), "jackal", sensors=sensors)
    simulation = Simulation(terrain.world(cells), [jackal])
    _listen_and_drive(simulation, 0.5, 0.3)
    return simulation


def standing(world: World, sensors: tuple[SensorEntry, ...]) -> Simulation:
    """Return a Jackal with sensors beside a world's things, with a listener on every topic."""
    place = Pose(np.array([-2.0, -2.0, 0.0]))
    jackal = Participant(load_robot("jackal").bare(), "jackal", place, sensors=sensors)
    simulation = Simulation(world, [jackal])
    _listen(simulation)
    return simulation


def crowd(robots: int, model: str, sensor: str, link: str) -> Simulation:
    """Return many robots on a grid, each with a scanner that sees the others."""
    robot = load_robot(model).bare()
    side = math.ceil(math.sqrt(robots))
    taking_part = [
        Participant(
            robot,
            f"robot_{i}",
            Pose(np.array([3.0 * (i % side - side / 2), 3.0 * (i // side - side / 2), 0.0])),
            namespace=f"robot_{i}",
            sensors=(SensorEntry("laser", sensor, link=link),),
        )
        for i in range(robots)
    ]
    simulation = Simulation(terrain.world(95), taking_part)
    _listen_and_drive(simulation, 0.3, 0.3)
    return simulation


def _listen(simulation: Simulation) -> None:
    for topic in simulation.bus.topics():
        simulation.bus.subscribe(topic.name, kept="latest")


def _listen_and_drive(simulation: Simulation, speed: float, yaw_rate: float) -> None:
    _listen(simulation)

    def drive(sim: Simulation) -> None:
        if sim.steps % 40 == 0:
            for robot in sim.robots.values():
                robot.drive(speed, yaw_rate)

    simulation.drivers.append(drive)
    simulation.run(0.5)


class Scanner:
    """A LiDAR whose scan can be taken again and again: the last turn of a Jackal that drives."""

    def __init__(self, cells: int, model: str, **settings: object) -> None:
        simulation = driving(cells, ())
        self.scene, state = simulation.rig.scene, simulation.state
        history = History(state, to_ns(simulation.rig.step_s), 300_000_000)
        for _ in range(100):
            simulation.step()
            history.record()
        ready = plan_sensor(SensorEntry("lidar", model, set=settings), "bench")
        vehicle = simulation.rig.vehicles[0]
        mast = self.scene.assembly.frame("jackal/mid_mount")
        site = Site(
            name="lidar",
            frame_id="lidar",
            body=mast.body,
            T_body_sensor=mast.T_body_link @ _MAST.pose(),
            state=state,
            history=history,
            scene=self.scene,
            world=self.scene.assembly.world,
            step_ns=history.step_ns,
            rate_hz=ready.rate_hz,
            random=generator(1, "bench"),
            vehicle=vehicle,
        )
        self.reach = ready.parameters.range_max
        self.lidar = Lidar(ready.parameters, site)
        self._start = self.lidar.get_state()
        self._now_ns = state.time_ns
        self.scan()

    def scan(self) -> object:
        """Take and write down the whole scan."""
        self.lidar.set_state(self._start)
        self.lidar.sample(self._now_ns)
        return self.lidar.points(self._now_ns)

    def rays(self) -> object:
        """Cast the rays alone, by what casts them here."""
        return self._surface.tracer.nearest(*self.lidar.rays, self._far(), alike=True)

    def rays_without_embree(self) -> object:
        """Cast the rays alone, by what is used where Embree is missing."""
        return self._tree.nearest(*self.lidar.rays, self._far())

    @property
    def _surface(self) -> Surface:
        static = self.scene.static
        assert static is not None
        return static.surface

    def _far(self) -> Floats32:
        return np.full(len(self.lidar.rays[0]), self.reach, np.float32)

    @cached_property
    def _tree(self) -> TreeTracer:
        return TreeTracer(self._surface.meshes)

    @cached_property
    def _bare(self) -> Any:
        """The same triangles as the package embreex takes them."""
        from embreex.mesh_construction import TriangleMesh
        from embreex.rtcore_scene import EmbreeScene

        scene = EmbreeScene()
        for vertices, faces in self._surface.meshes:
            TriangleMesh(scene, np.ascontiguousarray(vertices), faces)
        return scene

    def bare(self) -> object:
        """Cast the same rays by the package's own call and do nothing with them."""
        origins, directions = self.lidar.rays
        return self._bare.run(origins, directions, dists=self._far(), output=1)
