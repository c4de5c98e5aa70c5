"""Sensors from files, mounted on robots or standing in the world."""

import math
from dataclasses import dataclass
from functools import partial

from outrider.bus.bus import Bus
from outrider.core.clock import Schedule, to_ns
from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Pose
from outrider.core.seeds import generator
from outrider.messages.topics import WORLD_FRAME, topic_name
from outrider.sensors.catalogue import SensorPlan, plan_sensor
from outrider.sensors.history import History
from outrider.sensors.sampling import Delivery, Sampled
from outrider.sensors.site import Site
from outrider.sim.collisions import CollisionLog
from outrider.sim.rig import Participant, Rig
from outrider.sim.sensor_frames import SensorFrames
from outrider.specs.sensor import NO_ERROR, SensorEntry
from outrider.vehicles.vehicle import Vehicle
from outrider.weather.weather import Weather
from outrider.world.assembly import WORLD, Frame

_SPAN_NS = 300_000_000  # how far back sensors may look, at least


@dataclass(frozen=True, slots=True, eq=False)
class Mounted:
    """A mounted sensor: its specification, its pose, and its topics."""

    owner: str  # the robot's name; empty for one that stands in the world
    plan: SensorPlan
    site: Site
    topics: dict[str, str]  # output -> full name

    @property
    def name(self) -> str:
        """Its name behind that of its robot, as ``Sampled`` has it."""
        entry = self.plan.entry.name
        return f"{self.owner}/{entry}" if self.owner else entry


class Mounting:
    """Reads sensor entries and makes the sensors, with their topics and frames."""

    def __init__(
        self, rig: Rig, bus: Bus, seed: int, collisions: CollisionLog, weather: Weather
    ) -> None:
        self._rig = rig
        self._weather = weather
        self._bus = bus
        self._seed = seed
        self._collisions = collisions
        self.sensors: list[Sampled] = []
        self.mounted: list[Mounted] = []  # as many, in the same order
        self._claimed: dict[str, str] = {}  # topic -> who speaks on it
        self._frames = SensorFrames(rig)
        state = rig.engine.state
        self.history = History(state, to_ns(rig.step_s), _SPAN_NS)

    @property
    def frames(self) -> list[tuple[str, str, Pose]]:
        """Parent, child and pose of the sensors' frames, for /tf_static."""
        return self._frames.told

    def mount(self, entry: SensorEntry, who: Participant, number: int, vehicle: Vehicle) -> None:
        """Put a sensor on a robot."""
        prefix = who.frame_prefix
        assembly = self._rig.assembly
        link = entry.link or assembly.bodies[vehicle.root].name.removeprefix(f"{who.name}/")
        links = [n.removeprefix(f"{who.name}/") for n in assembly.frames if _is_of(n, who.name)]
        if link not in links:
            raise ConfigError(
                f"robot '{who.name}': sensor '{entry.name}': link: there is no link '{link}'"
                f"{near_match(link, links)}; it has: {', '.join(links)}"
            )
        base = assembly.frame(f"{who.name}/{link}")
        ready = plan_sensor(entry, f"robot '{who.name}'")
        names = {
            out: topic_name(
                template,
                namespace=who.namespace or "",
                robot_id=number,
                name=who.name,
                type_=who.robot.spec.name,
            )
            for out, template in ready.topics.items()
        }
        self._make(ready, base, prefix + link, prefix, names, vehicle)

    def stand(self, entry: SensorEntry) -> None:
        """Put a sensor somewhere in the world."""
        ready = plan_sensor(entry, "sensors")
        names = {
            out: topic_name(template, namespace="", robot_id=0, name=entry.name, type_=entry.model)
            for out, template in ready.topics.items()
        }
        self._make(ready, Frame(WORLD, Pose()), WORLD_FRAME, "", names, None)

    def _make(
        self,
        ready: SensorPlan,
        base: Frame,
        parent: str,
        prefix: str,
        names: dict[str, str],
        vehicle: Vehicle | None,
    ) -> None:
        entry = ready.entry
        own = entry.pose.pose()
        frame_id = self._frames.of_sensor(entry, base, parent, prefix)
        owner = vehicle.name if vehicle else ""
        if entry.mount_error != NO_ERROR:
            own @= entry.mount_error.drawn(generator(self._seed, "mount error", owner, entry.name))
        site = Site(
            name=entry.name,
            frame_id=frame_id,
            frame_prefix=prefix,
            body=base.body,
            T_body_sensor=base.T_body_link @ own,
            state=self._rig.engine.state,
            history=self.history,
            scene=self._rig.scene,
            world=self._rig.assembly.world,
            step_ns=self.history.step_ns,
            rate_hz=ready.rate_hz,
            random=generator(self._seed, "sensor", owner, entry.name),
            link=f"{owner}/{parent.removeprefix(prefix)}" if owner else "",
            vehicle=vehicle,
            contacts=self._collisions,
            touching=self._rig.engine.contacts,
            weather=self._weather,
            engine=self._rig.engine,
        )
        sensor = ready.kind(ready.parameters, site)
        for lens in sensor.frames:
            self._frames.of_lens(entry, *lens)
        self._claim({out: names[out] for out in sensor.outputs}, entry, owner)
        declare = partial(self._bus.declare, rate_hz=ready.rate_hz, source=ready.sensor_type)
        outputs = [
            (declare(names[out], ready.kind.types[out]), write)
            for out, write in sensor.outputs.items()
        ]
        way = Delivery(to_ns(ready.latency_s), to_ns(entry.jitter_s), entry.dropout)
        schedule = Schedule(ready.rate_hz, self._phase(entry, ready))
        random = generator(self._seed, "delivery", owner, entry.name)
        topics = {out: names[out] for out in sensor.outputs}
        self.mounted.append(Mounted(owner, ready, site, topics))
        name = self.mounted[-1].name
        self.sensors.append(
            Sampled(sensor, outputs, schedule, way, random, name=name, made_of=ready.parameters)
        )

    def _claim(self, names: dict[str, str], entry: SensorEntry, owner: str) -> None:
        """Refuse two sensors that would speak on one topic."""
        who = f"sensor '{entry.name}'" + (f" of robot '{owner}'" if owner else "")
        for name in names.values():
            if name in self._claimed:
                raise ConfigError(
                    f"{who} would publish on {name}, as {self._claimed[name]} does; "
                    "give one of them other 'topics'"
                )
        self._claimed |= dict.fromkeys(names.values(), who)

    def _phase(self, entry: SensorEntry, ready: SensorPlan) -> int:
        """Return when it first measures: sensors that look back need the time they look over."""
        wait_s = ready.kind.looks_back(ready.parameters, ready.rate_hz)
        if wait_s * 1e9 > _SPAN_NS and not math.isclose(wait_s * 1e9, _SPAN_NS):
            self.history.extend(to_ns(wait_s))
        return to_ns(entry.phase_s + wait_s)


def _is_of(frame: str, robot: str) -> bool:
    return frame.startswith(f"{robot}/")
