"""A Jackal that films while it drives, for benchmarks."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from outrider.bench import terrain
from outrider.bench.measurement import median_time
from outrider.core.cache_folder import cache_dir
from outrider.core.seeds import generator
from outrider.core.structure import Data
from outrider.render.shot import Shot
from outrider.scenarios.api import load_world
from outrider.sensors.camera.renderer_pool import renderer_for
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.vehicles.robot import load_robot
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.tessellate import heightfield_mesh

Order = tuple[list[Shot], NDArray[np.void]]  # shots, and where the bodies were
_START_S = 0.5
_MAST = PoseSpec(x=0.1, y=0.06, z=0.25)
_TEXTURE = 1024  # pixels a side


def meadow() -> World:
    """Return the meadow of the mine-clearing challenge."""
    return load_world("hratc")


def empty_hills(cells: int) -> World:
    """Return hills of cells by cells, covered with a texture."""
    field = terrain.heights(cells)
    material = Material(name="ground", friction=0.8, texture=_grass(), texture_size=2.0)
    mesh = Geometry(heightfield_mesh(field), material=material)
    ground = Link("ground", None, (mesh,), (Geometry(field, material=material),))
    return World("bench", (Model("ground", (ground,), mobility="static"),))


class FilmedDrive:
    """A simulation with a camera that nobody looks at yet."""

    def __init__(self, world: World, camera: str, settings: Data) -> None:
        entry = SensorEntry("camera", camera, link="mid_mount", pose=_MAST, set=settings)
        jackal = Participant(load_robot("jackal").bare(), "jackal", sensors=(entry,))
        self._wish = str(settings.get("renderer", "auto"))
        self._simulation = Simulation(world, [jackal])
        self._simulation.drivers.append(_drive)
        self._simulation.run(_START_S)

    def restart(self) -> None:
        """Go back to where the drive began."""
        self._simulation.reset()
        self._simulation.run(_START_S)

    def listen(self) -> None:
        """Want every image from now on."""
        bus = self._simulation.bus
        for topic in bus.topics():
            if topic.name.endswith("image_raw"):
                bus.subscribe(topic.name, kept="latest")

    def run(self, seconds: float) -> None:
        """Let the simulation go on."""
        self._simulation.run(seconds)

    def drive(self, stretches: int) -> list[float]:
        """Return what each second of a drive takes, from the start on."""
        self.restart()
        return [_timed(lambda: self.run(1.0)) for _ in range(stretches)]

    def keep_orders(self) -> list[Order]:
        """Return a list that every order for pictures is added to from now on."""
        renderer, orders = self._renderer(), list[Order]()
        begin = renderer.begin

        def noted(shots: list[Shot], bodies: NDArray[np.void]) -> Any:
            orders.append((shots, np.array(bodies)))
            return begin(shots, bodies)

        renderer.begin = noted
        return orders

    def order_times(self, orders: list[Order]) -> list[float]:
        """Return what the same pictures take with nothing beside them."""
        return [_timed(partial(self._repeat, order)) for order in list(orders)]

    def _repeat(self, order: Order) -> None:
        self._renderer().begin(*order).pictures()

    @property
    def renderer(self) -> str:
        """The name of the renderer in use."""
        return str(self._renderer().name)

    def picture_time(self, repeats: int) -> tuple[float, float]:
        """Return what the camera's images take, with nothing beside them."""
        return median_time(self.take, repeats)

    def close(self) -> None:
        """Let go of the renderer's threads."""
        self._renderer().close()

    def _renderer(self) -> Any:
        return renderer_for(self._simulation.rig.scene, self._wish)

    @property
    def sensor(self) -> Any:
        """The camera, or what stands in its place."""
        return self._simulation.sensors[0].sensor

    def take(self) -> None:
        """Take the camera's images now."""
        camera = self.sensor
        outputs = frozenset(name for name in camera.outputs if name.endswith("image"))
        written = camera.expose(outputs)
        for output in outputs:
            written(output)


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _drive(simulation: Simulation) -> None:
    if simulation.steps % 40 == 0:
        for robot in simulation.robots.values():
            robot.drive(0.5, 0.15)


def _grass() -> str:
    """Return the path of a soft random texture."""
    path = cache_dir() / "bench" / "grass.png"
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        noise = generator(5, "grass").integers(40, 200, (_TEXTURE // 4, _TEXTURE // 4, 3))
        green = (noise * np.array([0.5, 0.8, 0.3])).astype(np.uint8)
        image = Image.fromarray(green).resize((_TEXTURE, _TEXTURE), Image.Resampling.BICUBIC)
        image.save(path)
    return str(path)
