"""The outputs of a simulation: its topics, and the sensors that every robot has."""

from dataclasses import dataclass

from outrider.bus.bus import Bus
from outrider.bus.channel import Channel
from outrider.core.clock import Schedule
from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Pose
from outrider.messages.topics import TOPICS, WORLD_FRAME, topic_name
from outrider.messages.types import Message, Point, TFMessage, Vector3, header, message_class
from outrider.sensors.ground_truth import GroundTruth
from outrider.sensors.sampling import Sampled
from outrider.sensors.sensor import Sensor
from outrider.sensors.transforms import Transforms, stamped, static_transforms
from outrider.sensors.wheels.joint_states import JointStates
from outrider.sensors.wheels.odometry import OdometrySensor
from outrider.sim.collisions import Collision
from outrider.sim.rig import Participant, Rig
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import WORLD

GROUND = "ground"  # the model that touching is no collision with


@dataclass(frozen=True, slots=True)
class _Naming:
    """How the topics and frames of one robot are called."""

    participant: Participant
    number: int

    @property
    def prefix(self) -> str:
        return self.participant.frame_prefix

    def topic(self, key: str) -> str:
        p = self.participant
        template = p.topics.get(key) or p.robot.spec.topics.get(key) or TOPICS[key].name
        return topic_name(
            template,
            namespace=p.namespace or "",
            robot_id=self.number,
            name=p.name,
            type_=p.robot.spec.name,
        )

    def rate(self, key: str) -> float:
        p = self.participant
        return p.rates.get(key) or p.robot.spec.rates.get(key) or TOPICS[key].rate_hz


class Outputs:
    """Declares all topics and makes the sensors that every robot has."""

    def __init__(
        self,
        rig: Rig,
        participants: list[Participant],
        bus: Bus,
        sensor_frames: list[tuple[str, str, Pose]],
    ) -> None:
        self._rig = rig
        self._sensor_frames = sensor_frames
        self._bus = bus
        self.sensors: list[Sampled] = []
        self.names: dict[str, dict[str, str]] = {}
        self._prefixes: dict[str, str] = {}
        self._collisions: dict[str, Channel] = {}
        self.clock = self._declare("clock", TOPICS["clock"].name)
        self._static = self._declare("tf_static", TOPICS["tf_static"].name)
        for number, participant in enumerate(participants):
            self._add(participant, number, rig.vehicles[number])
        self._fixed = self._fixed_frames()

    def _fixed_frames(self) -> Message:
        vehicles = self._rig.vehicles
        fixed = [t for v in vehicles for t in static_transforms(v, self._prefixes[v.name])]
        fixed += [stamped(*frame, 0) for frame in self._sensor_frames]
        return TFMessage(fixed)

    @property
    def channels(self) -> list[Channel]:
        """The topics that are not those of a sensor."""
        return [self.clock, self._static, *self._collisions.values()]

    def latch(self) -> None:
        """Publish the static frames, once."""
        self._static.publish(self._fixed, 0)

    def report(self, collision: Collision) -> None:
        """Publish a collision to the robots that took part."""
        for name in self.robots_in(collision):
            message = message_class("outrider_msgs/msg/Collision")(
                header(collision.time_ns, WORLD_FRAME),
                collision.first,
                collision.second,
                Point(*collision.point.tolist()),
                Vector3(*collision.normal.tolist()),
                collision.impulse,
            )
            self._collisions[name].publish(message, collision.time_ns)

    def robots_in(self, collision: Collision) -> list[str]:
        """Return the names of the robots that met something."""
        bodies = self._rig.assembly.bodies
        models = {bodies[b].model for b in collision.bodies if b != WORLD}
        return [v.name for v in self._rig.vehicles if bodies[v.root].model in models]

    def with_ground(self, collision: Collision) -> bool:
        """Return whether one side was the ground itself."""
        return GROUND in (collision.first, collision.second)

    def _add(self, participant: Participant, number: int, vehicle: Vehicle) -> None:
        naming = _Naming(participant, number)
        for key in (*participant.topics, *participant.rates, *participant.robot.spec.topics):
            if key not in TOPICS:
                raise ConfigError(
                    f"robot '{participant.name}': no topic '{key}'{near_match(key, TOPICS)}"
                )
        self.names[vehicle.name] = {key: naming.topic(key) for key in TOPICS}
        self._prefixes[vehicle.name] = naming.prefix
        state, assembly = self._rig.engine.state, self._rig.assembly
        root = assembly.bodies[vehicle.root].name.removeprefix(f"{vehicle.name}/")
        for sensor in (
            JointStates(vehicle, state),
            OdometrySensor(vehicle, state, naming.prefix),
            Transforms(vehicle, state, assembly, naming.prefix),
            GroundTruth(vehicle.root, state, naming.prefix + root),
        ):
            self._sense(sensor, naming)
        self._collisions[vehicle.name] = self._declare("collisions", naming.topic("collisions"))

    def _sense(self, sensor: Sensor, naming: _Naming) -> None:
        for key, write in sensor.outputs.items():
            rate = naming.rate(key)
            channel = self._declare(key, naming.topic(key), rate)
            name = f"{naming.participant.name} {key}"
            self.sensors.append(Sampled(sensor, [(channel, write)], Schedule(rate), name=name))

    def _declare(self, key: str, name: str, rate_hz: float | None = None) -> Channel:
        topic = TOPICS[key]
        return self._bus.declare(
            name,
            topic.type,
            rate_hz=topic.rate_hz if rate_hz is None else rate_hz,
            latched=topic.latched,
            kept=topic.kept,
        )
