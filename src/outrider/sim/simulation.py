"""The simulation: a world, robots, a bus, and one method that is a step."""

import math
import threading
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

from outrider.bus.bus import Bus
from outrider.components.catalogue import Plan, plan_component, plan_of
from outrider.components.component import Component
from outrider.components.component_instance import ComponentInstance
from outrider.components.component_runner import ComponentRunner
from outrider.components.handle import Handle
from outrider.core.arguments import count_argument, text_argument
from outrider.core.clock import to_s
from outrider.core.errors import ConfigError
from outrider.core.process.shutdown import work_lock
from outrider.core.state import Later, State, Stateful, StateGroup
from outrider.messages.topics import TOPICS
from outrider.messages.types import Clock, Message, time
from outrider.physics.health import Health
from outrider.scene.scene import Scene
from outrider.sensors.sampling import Sampled, Sampler
from outrider.sim.collisions import Collision, CollisionLog, CollisionWatch
from outrider.sim.commands import CommandTopics
from outrider.sim.component_host import ComponentHost
from outrider.sim.external_forces import ExternalForces
from outrider.sim.falls import FallWatch
from outrider.sim.lockstep import Lockstep
from outrider.sim.mounting import Mounted, Mounting
from outrider.sim.outputs import Outputs
from outrider.sim.rig import Participant, Rig, named_robots
from outrider.sim.robot_handle import RobotHandle, Robots
from outrider.sim.sensor_handle import SensorHandle, Sensors
from outrider.sim.start_poses import check_places, check_starts
from outrider.sim.weather_effects import WeatherEffects
from outrider.specs.component import ComponentEntry, OnFault
from outrider.specs.sensor import SensorEntry
from outrider.vehicles.vehicle import Vehicle
from outrider.weather.weather import Weather
from outrider.world.model import Model, World
from outrider.world.state import WorldState

_MEASURED = ("odometry", "joint_states", "ground_truth")  # by every robot, without a sensor's file

Driver = Callable[["Simulation"], None]
Condition = Callable[["Simulation"], bool | None]


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """A driver or condition with state, and what it is built from."""

    part: Stateful
    made_of: object


class Simulation:
    """Advances in fixed steps. Nothing here reads the wall clock: see ``pacing``."""

    def __init__(
        self,
        world: World,
        robots: list[Participant] | tuple[Participant, ...] = (),
        *,
        engine: str = "mujoco",
        step_s: float = 0.0025,
        seed: int = 1,
        bus: Bus | None = None,
        sensors: tuple[SensorEntry, ...] = (),
        quiet: bool = False,
        scene: Scene | None = None,
        actors: Sequence[Model] = (),
    ) -> None:
        """Publish nothing yet if ``quiet``: it continues from another simulation's state.

        ``scene`` is one of this world that was made before: all of it is shared if it has these
        robots and actors at the same places, else what never moves.
        ``actors`` are the bodies of people, cars and animals; a driver moves them.
        """
        if not isinstance(world, World):
            raise ConfigError(f"world: expected one such as o.load_world('empty'), got {world!r}")
        text_argument(engine, "engine", "the name of an engine")
        self.seed = count_argument(seed, "seed")
        self.bus = bus or Bus()
        robots = named_robots(robots)
        robots = [robot.among(number, len(robots)) for number, robot in enumerate(robots)]
        self.rig: Rig = Rig(
            world, robots, engine=engine, step_s=step_s, seed=seed, scene=scene, actors=actors
        )
        self.state: WorldState = self.rig.engine.state  # as it is now, in every step
        self.drivers: list[Driver] = []  # scripted motions: they publish commands
        self.conditions: list[Condition] = []  # they end the run: True passed, False failed
        self.lockstep: Lockstep | None = None
        self.pushes = ExternalForces()
        self.weather = Weather(world.weather, seed, world.origin.altitude_m)
        self._elements = WeatherEffects(self.rig, self.weather)
        self.finished: bool | None = None  # None while running, then whether it passed
        self.collisions = CollisionLog(self.rig.assembly)
        self.memories: dict[str, Memory] = {}  # of drivers and conditions, by name
        self.steps = 0
        self.watch = CollisionWatch(self.rig)
        self._falls = FallWatch(self.rig)
        self._wake = threading.Event()
        self._turn = work_lock()
        self._mounting = self._mount(list(robots), sensors)
        self.history = self._mounting.history
        self._outputs = Outputs(self.rig, list(robots), self.bus, self._mounting.frames)
        self.sampler = Sampler([*self._outputs.sensors, *self._mounting.sensors])
        self.commands = {
            v.name: CommandTopics(v, self.bus, self._outputs.names[v.name], self._wake)
            for v in self.rig.vehicles
        }
        self._guarded = {p.name for p in robots if p.stop_on_collision}
        self._health, self._last_good = Health(self.rig.engine), self.state.copy()
        self.robots = Robots(
            (
                v.name,
                RobotHandle(
                    v, self.state, self.bus, self._names_of(v.name), self._sensors_of(v.name)
                ),
            )
            for v in self.rig.vehicles
        )
        self.components = ComponentRunner(ComponentHost(self))
        self._start, self._start_places = self._parts().get_state(), self.state.copy()
        self._equip(robots)
        if not quiet:
            check_starts(self.rig)
            self.begin()

    def _mount(self, robots: list[Participant], standing: tuple[SensorEntry, ...]) -> Mounting:
        mounting = Mounting(self.rig, self.bus, self.seed, self.collisions, self.weather)
        for number, (robot, vehicle) in enumerate(zip(robots, self.rig.vehicles, strict=True)):
            # an entry with the name of one of the robot's own sensors takes its place
            entries = {entry.name: entry for entry in (*robot.robot.spec.sensors, *robot.sensors)}
            for entry in entries.values():
                mounting.mount(entry, robot, number, vehicle)
        for entry in standing:
            mounting.stand(entry)
        return mounting

    def _equip(self, robots: list[Participant]) -> None:
        """Attach the components that robots bring."""
        for one in robots:
            for number, data in enumerate((*one.robot.spec.components, *one.components)):
                where = f"robot '{one.name}': components.{number}"
                self.take_in(plan_component(data, where, within=one.name))

    def _names_of(self, robot: str) -> dict[str, str]:
        """Return a robot's topics by their keys; of commands, those that it takes."""
        taken = self.commands[robot].names
        names = self._outputs.names[robot]
        return {k: n for k, n in names.items() if TOPICS[k].direction == "out" or n in taken}

    def _sensors_of(self, robot: str) -> Sensors:
        step_ns = self._mounting.history.step_ns
        keys = {self._outputs.names[robot][key]: key for key in _MEASURED}
        found = [(keys.get(s.outputs[0][0].name, ""), s) for s in self._outputs.sensors]
        for sampled in self._mounting.sensors:
            owner, _, name = sampled.name.rpartition("/")
            found.append((name if owner == robot else "", sampled))
        sites = {mounted.name: mounted.site for mounted in self._mounting.mounted}
        handles = [
            SensorHandle(name, s, self.bus, step_ns, self._turn, sites.get(s.name))
            for name, s in found
            if name
        ]
        return Sensors(robot, handles)

    @property
    def sensors(self) -> list[Sampled]:
        """The sensors that files mounted, on robots and in the world."""
        return self._mounting.sensors

    @property
    def mounted(self) -> list[Mounted]:
        """Where these sensors are and what they were made from, in the same order."""
        return self._mounting.mounted

    @property
    def time_ns(self) -> int:
        """Simulated time since the start."""
        return self.state.time_ns

    @property
    def time_s(self) -> float:
        """Simulated time since the start, in seconds."""
        return to_s(self.state.time_ns)

    @property
    def state_hash(self) -> str:
        """A hash of the state of bodies, joints, engine, tyres and motors."""
        return self.rig.hash()

    def step(self) -> None:
        """Advance by one step: commands, physics, sensors, publishing, conditions."""
        with self._turn:
            self._take_commands()
            self._move()
            self.sampler.measure(self.state.time_ns)
            self._publish()
            self._judge()

    def may_step(self, patience_s: float) -> bool:
        """Return whether a step need not wait for a command; wait for one so long at most."""
        lockstep = self.lockstep
        return lockstep is None or lockstep.arrived(self.state.time_ns, self._wake, patience_s)

    def publish(self, topic: str, message: Message | Mapping[str, object]) -> None:
        """Publish on a topic, like another program; missing fields of a mapping are zero."""
        text_argument(topic, "publish", "the name of a topic")
        self.bus.publish(topic, message, self.state.time_ns)

    def run(self, duration_s: float) -> None:
        """Step flat out for some simulated time, or until a condition ends the run."""
        if not isinstance(duration_s, Real) or not 0.0 <= duration_s < math.inf:
            raise ConfigError(f"run: expected seconds, 0 or more, got {duration_s!r}")
        end_ns = self.time_ns + round(duration_s * 1e9)
        while self.finished is None and self.state.time_ns < end_ns:
            self.step()

    def reset(self, arrange: Callable[[], None] | None = None) -> None:
        """Return to exactly the initial state, without a restart.

        ``arrange`` may move things before anything is measured.
        """
        self._wake.clear()
        if self.components:
            self.components.reset()
        self._parts().set_state(self._start)
        self.steps, self.finished = 0, None
        if arrange is not None:
            arrange()
            self.history.forget()
        self.begin()

    def prepare_reset(self) -> None:
        """Do in any thread what would take long in a reset."""
        self.rig.engine.prepare(self._start.part("engine"))

    @property
    def start(self) -> WorldState:
        """Where all is at the start; not to be changed."""
        return self._start_places

    def park(self, vehicle: Vehicle) -> None:
        """Let a robot that was put back where it started rest as it does there."""
        turned = self.state.joints["position"] - self.start.joints["position"]
        vehicle.rest(self._start.part("vehicles").part(vehicle.name), turned)

    def check_start(self) -> None:
        """Refuse an initial state with a robot inside of what was added since."""
        check_places(self.rig.trial(self.start), None, "move or remove that first")

    def get_state(self) -> State:
        """Return everything that determines how the simulation continues."""
        return self._with_memories(self._parts().get_state())

    def last_state(self) -> State:
        """Return the same of one that will not step any more: what takes long is found later."""
        later: dict[str, Later | State] = {
            "engine": Later(self.rig.engine.get_state),
            "vehicles": State({v.name: v.last_state() for v in self.rig.vehicles}),
            "sensors": self.sampler.last_state(),
        }
        now = self._parts().parts
        return self._with_memories(
            State({name: later[name] if name in later else now[name].get_state() for name in now})
        )

    def _with_memories(self, parts: State) -> State:
        return State(
            parts,
            memories=State({name: m.part.get_state() for name, m in self.memories.items()}),
            steps=self.steps,
            finished=self.finished,
        )

    def set_state(self, state: State) -> None:
        """Continue from the state of a simulation built from the same scenario."""
        self.set_parts(state)
        self.set_memories(state)

    def set_parts(self, state: State) -> None:
        """Set all that is its own; of one that does not run yet in any thread."""
        self._wake.clear()
        self._parts().set_state(state)

    def set_memories(self, state: State) -> None:
        """Set what drivers, conditions and components remember, and continue from there."""
        kept = state.part("memories")
        for name, memory in self.memories.items():
            if name in kept:  # others were not there yet
                memory.part.set_state(kept.part(name))
        finished = state.flag("finished") if state.has("finished") else None
        self.go_on(state.integer("steps"), finished)

    def go_on(self, steps: int, finished: bool | None) -> None:
        """Continue the counters of another simulation whose state was set."""
        self.steps, self.finished = steps, finished
        self._last_good = self.state.copy()
        self._outputs.latch()

    def remember(self, name: str, part: Stateful, made_of: object) -> None:
        """Include the state of a driver or condition; ``made_of`` is what it was built from."""
        self.memories[name] = Memory(part, made_of)

    def attach(
        self,
        what: Component | type[Component] | str,
        on: str = "",
        *,
        name: str = "",
        rate_hz: float | None = None,
        limit_s: float = 1.0,
        on_fault: OnFault | None = None,
        **parameters: object,
    ) -> Handle:
        """Attach a component to a model, link, joint or sensor, or without a name to the world.

        It is an object of your own class, or the name of one that is built in or installed, with
        its ``parameters``. It starts in the next step. Returned is what the component sees.
        """
        if isinstance(what, str):
            keys = {"type": what, "on": on, "name": name, "limit_s": limit_s, **parameters}
            keys |= {"rate_hz": rate_hz, "on_fault": on_fault}
            return self.take_in(plan_component(keys, "attach")).handle
        entry = ComponentEntry(
            on=on, name=name, rate_hz=rate_hz, limit_s=limit_s, on_fault=on_fault
        )
        return self.take_in(plan_of(what, entry, parameters)).handle

    def reload_components(self) -> list[str]:
        """Read the files of all components anew, and go on; return who has new code."""
        renewed = self.components.reload()
        for instance in self.components:
            self.remember(f"component {instance.name}", instance, instance.plan)
        return renewed

    def take_in(self, planned: Plan) -> ComponentInstance:
        """Add a component whose parameters are checked; its state belongs to this one's."""
        instance = self.components.attach(planned)
        self.remember(f"component {instance.name}", instance, planned)
        return instance

    def _parts(self) -> StateGroup:
        """Return all components with state: the engine first, because others read it."""
        windy = {"wind": self.weather.wind} if self._elements.drags else {}
        return StateGroup(
            {
                "engine": self.rig.engine,
                "vehicles": StateGroup({v.name: v for v in self.rig.vehicles}),
                "collisions": self.collisions,
                "contacts": self.watch,
                "history": self.history,
                "sensors": self.sampler,
                "robots": StateGroup(self.robots),
                "commands": StateGroup(self.commands),
                "pushes": self.pushes,
                **windy,
            }
        )

    def rehearse(self, doubtful: Container[str] = ()) -> None:
        """Do once what takes long the first time; in any thread, before a start.

        What fails in it would end the run. ``doubtful`` sensors measure also for nobody.
        """
        self._parts().set_state(self._start)
        self.sampler.rehearse(doubtful)

    def topics(self) -> set[str]:
        """Return the names of all topics it publishes or subscribes to."""
        spoken = [c for sensor in self.sampler.sensors for c, _ in sensor.outputs]
        names = {channel.name for channel in (*spoken, *self._outputs.channels)}
        return names.union(*(inputs.names for inputs in self.commands.values()))

    def close(self) -> None:
        """Unsubscribe: another simulation takes over this one's bus."""
        for inputs in self.commands.values():
            inputs.close()
        self.components.close()

    def begin(self) -> None:
        """Publish the initial state before the first step."""
        self._last_good = self.state.copy()
        self._falls.begin()
        self._outputs.latch()
        self.sampler.measure(0)
        self._publish()

    def _take_commands(self) -> None:
        for driver in self.drivers:
            driver(self)
        if self.components.instances:
            self.components.step()
        if self.lockstep is not None:
            self.lockstep.wait(self.state.time_ns, self._wake)
        if self._wake.is_set():
            self._wake.clear()
            for inputs in self.commands.values():
                inputs.take(self.state.time_ns)

    def _move(self) -> None:
        if self.pushes:
            self.pushes.apply(self.rig)
        if self._elements:
            self._elements.apply()
        self.rig.drive()
        self.steps += 1
        if self._mounting.sensors:
            self.history.record()
        for collision in self.watch.update(self.state.time_ns):
            self._collide(collision)
        self._last_good = self._health.check(self._last_good, self.steps)
        self._falls.look(self.steps)

    def _collide(self, collision: Collision) -> None:
        self.collisions.append(collision)
        self._outputs.report(collision)
        for vehicle in self.rig.vehicles:
            hit = vehicle.name in self._outputs.robots_in(collision)
            if hit and vehicle.name in self._guarded and not self._outputs.with_ground(collision):
                vehicle.controller.stop()

    def _publish(self) -> None:
        now_ns = self.state.time_ns
        self._outputs.clock.offer(_clock, now_ns)
        self.sampler.speak(now_ns)
        if self.components.instances:
            self.components.draw(now_ns)

    def _judge(self) -> None:
        if self.components.failed:
            self.finished = False
            return
        for condition in self.conditions:
            verdict = condition(self)
            if verdict is not None:
                self.finished = verdict
                return


def _clock(now_ns: int) -> Clock:
    return Clock(time(now_ns))
