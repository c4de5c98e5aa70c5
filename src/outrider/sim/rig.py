"""Everything that moves: bodies, engine, scene, tyres, motors and vehicles."""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Array, Pose, matrix_from_quaternion
from outrider.core.plain_name import check_plain
from outrider.core.structure import Data
from outrider.messages.topics import fill
from outrider.physics.engine import ENGINES, Contact, EngineFactory, Places
from outrider.physics.health import check_bounds
from outrider.physics.trial import Trial
from outrider.physics.tyres.bumps import Bumps
from outrider.physics.tyres.data import TYRE, Records
from outrider.physics.tyres.tyres import Tyres, check_step
from outrider.render.alpha_test import opacity_of
from outrider.render.see_through import see_through
from outrider.scene.ground_pose import place_on_ground
from outrider.scene.scene import Scene
from outrider.sim.settled_starts import settle_robots
from outrider.sim.standing import stand
from outrider.specs.sensor import SensorEntry
from outrider.vehicles.kinematic_drive import KinematicDrive
from outrider.vehicles.motors import MOTOR, Motors
from outrider.vehicles.robot import Robot
from outrider.vehicles.rows import RowMaker
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import assemble
from outrider.world.forward_kinematics import ForwardKinematics
from outrider.world.model import Light, Model, World
from outrider.world.state import WorldState

_STEEP = 0.3  # on less a whole footprint is not higher or lower than a wheel's radius
_UPRIGHT = 0.2  # cosine of a lean that is still driving


@dataclass(frozen=True, slots=True, eq=False)
class Participant:
    """A named robot of a simulation; without a pose it is placed at the world's start."""

    robot: Robot
    name: str = ""  # empty: its model's name, with a number where there are several
    pose: Pose | None = None
    on_ground: bool = True
    namespace: str | None = None  # None: none for one robot, its name for several
    topics: dict[str, str] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    sensors: tuple[SensorEntry, ...] = ()  # beyond those of its own file
    stop_on_collision: bool = False
    lamps: tuple[Light, ...] = ()  # beyond those of its own file
    components: tuple[Data, ...] = ()  # beyond those of its own file

    @property
    def frame_prefix(self) -> str:
        """The prefix of its frames."""
        space = (self.namespace or "").strip("/")
        return f"{space}/" if space else ""

    def among(self, number: int, count: int) -> "Participant":
        """Return it with its own namespace if there are several, placeholders filled in."""
        if self.namespace is None:
            return replace(self, namespace="" if count == 1 else self.name)
        kind = self.robot.spec.name
        filled = fill(self.namespace, robot_id=number, name=self.name, type_=kind)
        return replace(self, namespace=filled)


def named_robots(robots: Sequence[Participant]) -> list[Participant]:
    """Return robots that all have a name: several of one model are numbered from 1."""
    _check_robots(robots)
    models = Counter(robot.robot.spec.name for robot in robots if not robot.name)
    used: Counter[str] = Counter()
    named = []
    for robot in robots:
        model = robot.robot.spec.name
        used[model] += not robot.name
        own = f"{model}_{used[model]}" if models[model] > 1 else model
        named.append(robot if robot.name else replace(robot, name=own))
    return named


def _check_robots(robots: object) -> None:
    """Refuse what is no list of robots: users' programs are not typed."""
    listed = robots if isinstance(robots, list | tuple) else [robots]
    wrong = [robot for robot in listed if not isinstance(robot, Participant)]
    if wrong or listed is not robots:
        got = repr(wrong[0])[:60] if wrong else "one robot that is in no list"
        raise ConfigError(f"robots: expected a list such as [o.robot('jackal')], got {got}")


class Rig:
    """The moving part of a simulation: ``drive`` is one step of physics."""

    def __init__(
        self,
        world: World,
        participants: list[Participant],
        *,
        engine: str,
        step_s: float,
        seed: int,
        scene: Scene | None = None,
        actors: Sequence[Model] = (),
    ) -> None:
        """Share what fits of a ``scene`` of this world that was made before."""
        _check_names(world, participants)
        for participant in participants:
            if participant.pose is not None:
                check_bounds(participant.name, participant.pose.position)
        self.step_s = step_s
        self.participants = tuple(participants)
        whole = replace(world, models=(*world.models, *actors)) if actors else world
        self.scene = _make_scene(whole, participants, seed, scene)
        self.assembly = self.scene.assembly
        self.engine = cast(EngineFactory, ENGINES.load(engine))(self.assembly, step_s)
        self.places: Places = self.engine  # what is asked where all is, and what is inside what
        self._kinematics = ForwardKinematics(self.assembly)
        self._make_vehicles(participants, seed)
        self.bumps = Bumps(self.tyres, self.assembly, step_s)
        self._settle_robots()

    def _make_vehicles(self, participants: list[Participant], seed: int) -> None:
        tyres: list[Records] = [np.zeros(0, TYRE)]
        motors: list[Records] = [np.zeros(0, MOTOR)]
        self.vehicles: list[Vehicle] = []
        self.rows: dict[str, RowMaker] = {}  # how the vehicles were made, by their names
        for participant in participants:
            maker = RowMaker(participant.robot, participant.name, self.assembly)
            self.rows[participant.name] = maker
            tyres.append(maker.tyres())
            motors.append(maker.motors())
            self.vehicles.append(Vehicle.make(participant.name, participant.robot, self.assembly))
        self.tyres = Tyres(np.concatenate(tyres), self.scene, seed)
        self.motors = Motors(np.concatenate(motors), len(self.assembly.joints))
        for vehicle, own_tyres, own_motors in zip(
            self.vehicles,
            _parted(self.tyres.rows, tyres),
            _parted(self.motors.rows, motors),
            strict=True,
        ):
            vehicle.tyres, vehicle.motors = own_tyres, own_motors
        self._kinematic: KinematicDrive | None = None
        if self.engine.kinematics is not None:
            self._kinematic = KinematicDrive(self.engine)
            self.engine.kinematics.follow = self._on_ground()
        else:
            check_step(self.tyres.rows, self.assembly, self.step_s)

    def _settle_robots(self) -> None:
        """Let those without a height rest on the ground."""
        if self._kinematic is None:
            ends = np.cumsum([len(vehicle.tyres) for vehicle in self.vehicles]).tolist()
            placed = zip(self.participants, self.vehicles, ends, strict=True)
            standing = {
                end - len(vehicle.tyres): vehicle for p, vehicle, end in placed if p.on_ground
            }
            settle_robots(self.engine, self.tyres, standing, self.step_s)

    def drive(self) -> None:
        """One step: set points from commands, torque from motors, forces from tyres, motion."""
        now_ns, dt = self.engine.state.time_ns, self.step_s
        for vehicle in self.vehicles:
            targets = vehicle.command(now_ns, dt)
            if self._kinematic:
                self._kinematic.apply(vehicle, targets)
        if self._kinematic is None and self.vehicles:
            self.motors.apply(self.engine, dt)
            self.tyres.apply(self.engine, self.motors.predicted, dt)
        self.engine.step()

    def hold(self, joints: NDArray[np.intp], positions: Array) -> None:
        """Let robots hold joints that were set to positions there."""
        for vehicle in self.vehicles:
            vehicle.hold(joints, positions)

    def trial(self, state: WorldState | None = None) -> "Rig":
        """Return the same to try places in, from where all is now or in a state.

        Nothing is moved in the engine. It shares all else, and so must not be driven.
        """
        twin = copy(self)
        now = self.places.state if state is None else state
        twin.places = Trial(self.engine, self._kinematics, now)
        return twin

    def hash(self) -> str:
        """Return a hash of everything that determines the motion."""
        return self.engine.state.hash(*self.engine.arrays(), self.tyres.rows, self.motors.rows)

    def contacts(self) -> list[Contact]:
        """Return the contacts of the last step, including tyres that hit something."""
        return [*self.engine.contacts(), *self.bumped()]

    def bumped(self) -> list[Contact]:
        """Return the contacts of tyres that hit something in the last step."""
        return [] if self._kinematic else self.bumps.contacts()

    def _on_ground(self) -> Callable[[int, Pose], Pose]:
        """Return what keeps kinematic vehicles on the ground; higher than a wheel is none."""
        stances = {vehicle.root: self.rows[vehicle.name].stance for vehicle in self.vehicles}

        def follow(body: int, pose: Pose) -> Pose:
            height, footprint = stances[body]
            top = pose.position[2] - height + max(self.tyres.rows["radius"])
            rise = _rise(self.engine.state.bodies[body]["rotation"])
            return place_on_ground(self.scene, pose, footprint, height, top, rise)

        return follow


def _rise(rotation: Array) -> tuple[float, float]:
    """Return how steep the plane that a vehicle stands on is along x and y; 0 if hardly so."""
    x, y, z = matrix_from_quaternion(rotation)[:, 2].tolist()
    steep = z > _UPRIGHT and math.hypot(x, y) > _STEEP * z
    return (-x / z, -y / z) if steep else (0.0, 0.0)


def _make_scene(
    world: World, participants: list[Participant], seed: int, known: Scene | None
) -> Scene:
    still = known or static_scene(world)
    standing = [_stand(world, still, p) for p in participants]
    lights = (*world.lights, *(lamp for p in participants for lamp in _lamps(p)))
    full = replace(world, models=(*world.models, *standing), lights=lights)
    if still.relief_seed == seed and _same(full, still.assembly.world):
        return still
    scene = Scene(assemble(full), still)
    scene.let_through, scene.opacity_of, scene.relief_seed = see_through, opacity_of, seed
    return scene


def _same(one: World, other: World) -> bool:
    """Return whether two versions of a world have the same models at the same places."""
    if len(one.models) != len(other.models) or one.lights != other.lights:
        return False
    return all(
        a is b or (a.name == b.name and _alike(a, b))
        for a, b in zip(one.models, other.models, strict=True)
    )


def _alike(a: Model, b: Model) -> bool:
    """Return whether models of one name are the same; a seed draws the same actors again."""
    parts = a.links is b.links or a.mobility == b.mobility == "scripted"
    return parts and np.array_equal(a.pose.matrix, b.pose.matrix)


def _lamps(participant: Participant) -> list[Light]:
    """Return a robot's lamps on its links, named as the world names them."""
    model, found = participant.robot.model, []
    links = [link.name for link in model.links]
    for lamp in (*participant.robot.spec.lamps, *participant.lamps):
        link = lamp.link or model.roots[0].name
        if link not in links:
            raise ConfigError(
                f"robot '{participant.name}': lamp '{lamp.name}': there is no link '{link}'"
                f"{near_match(link, links)}"
            )
        name = f"{participant.name}/{lamp.name}"
        found.append(replace(lamp, name=name, link=f"{participant.name}/{link}"))
    return found


def _parted(whole: Records, pieces: list[Records]) -> list[Records]:
    """Return views into rows that were put together: one per piece but the empty first."""
    ends = np.cumsum([len(piece) for piece in pieces]).tolist()
    return [whole[start:end] for start, end in pairwise(ends)]


def static_scene(world: World) -> Scene:
    """Return the scene of what never moves in a world."""
    for model in world.models:
        check_bounds(model.name, model.pose.position)
        if model.mobility == "dynamic":  # it turns about its middle, which would be as far
            for link in model.links:
                for shape in (*link.visuals, *link.colliders):
                    check_bounds(model.name, shape.pose.position)
    still = tuple(model for model in world.models if model.mobility == "static")
    return Scene(assemble(replace(world, models=still)))


def _stand(world: World, scene: Scene, participant: Participant) -> Model:
    """Return the robot's model, placed so that its tyres just carry it."""
    asked = world.start if participant.pose is None else participant.pose
    model = replace(participant.robot.model, name=participant.name, pose=asked)
    if not participant.on_ground:
        return model
    alone = assemble(replace(world, models=(model,)))
    rows = RowMaker(participant.robot, participant.name, alone)
    return replace(model, pose=stand(scene, rows, asked))


def _check_names(world: World, participants: list[Participant]) -> None:
    for model in world.models:
        check_plain("object", model.name)
    names = [p.name for p in participants]
    taken = {model.name for model in world.models}
    for name in names:
        check_plain("robot", name)
        if names.count(name) > 1:
            raise ConfigError(f"two robots have the name '{name}'")
        if name in taken:
            raise ConfigError(f"robot '{name}' has the name of an object in the world")
