"""Engines with a sensor in one of their joints, without a robot around them."""

from collections.abc import Callable
from typing import Any

from outrider.core.frames import Array, Pose
from outrider.core.seeds import generator
from outrider.physics.engine import ENGINES, PhysicsEngine
from outrider.scene.scene import Scene
from outrider.sensors.history import History
from outrider.sensors.site import Site
from outrider.world.assembly import Assembly

STEP_NS = 1_000_000


class JointBench:
    """``step`` moves everything; ``mount`` puts a sensor on a link that a joint carries."""

    def __init__(self, assembly: Assembly, engine: str = "mujoco") -> None:
        factory: Any = ENGINES.load(engine)
        self.engine: PhysicsEngine = factory(assembly, STEP_NS * 1e-9)
        self.assembly = assembly
        self.history = History(self.engine.state, STEP_NS, 10 * STEP_NS)
        self.push: Callable[[PhysicsEngine], None] = lambda _engine: None

    def mount(self, kind: Any, link: str, parameters: Any = None, pose: Pose | None = None) -> Any:
        frame = self.assembly.frame(link)
        site = Site(
            name="sensor",
            frame_id="frame",
            body=frame.body,
            T_body_sensor=frame.T_body_link @ (pose or Pose()),
            state=self.engine.state,
            history=self.history,
            scene=Scene(self.assembly),
            world=self.assembly.world,
            step_ns=STEP_NS,
            rate_hz=100.0,
            random=generator(1, "sensor"),
            link=link,
            engine=self.engine,
        )
        return kind(parameters or kind.Parameters(), site)

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            self.push(self.engine)
            self.engine.step()
            self.history.record()

    def read(self, sensor: Any) -> tuple[Array, Array]:
        """Return force and torque as they are now."""
        sensor.sample(self.engine.state.time_ns)
        return sensor.force, sensor.torque
