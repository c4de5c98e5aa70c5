"""From a simulation to its successor: everything that exists in both continues unchanged."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from outrider.core.state import State
from outrider.physics.engine import Places
from outrider.physics.health import check_mass
from outrider.sensors.history import Run, runs_of
from outrider.sensors.sampling import Sampled
from outrider.sim.collisions import renumbering
from outrider.sim.simulation import Simulation
from outrider.sim.start_poses import check_meanwhile, check_starts
from outrider.vehicles.robot import Robot
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import Assembly
from outrider.world.state import Placement


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Numbers of the same things in the new and in the old simulation."""

    new: NDArray[np.intp]
    old: NDArray[np.intp]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, int]]) -> "_Pairs":
        both = np.array(list(pairs), np.intp).reshape(-1, 2)
        return cls(*(np.ascontiguousarray(column) for column in both.T))


@dataclass(frozen=True, slots=True, eq=False)
class Branch:
    """What a quiet new simulation has in common with the old one; both have one bus.

    It is worked out in any thread; between two steps the values are all that is left to take over.
    """

    old: Simulation
    new: Simulation
    fresh: set[str]  # models that start afresh
    apart: bool  # things that are new must not be inside one another
    added: set[str]  # those, and what is new or has another shape: it must be in a free place
    roots: _Pairs
    joints: _Pairs
    runs: list[Run]  # of bodies, in histories
    numbers: dict[int, int]  # new ones of all bodies by their old ones
    vehicles: tuple[tuple[Vehicle, Vehicle], ...]  # new and old
    sensors: tuple[tuple[str, Sampled, Sampled], ...]

    @classmethod
    def between(
        cls, old: Simulation, new: Simulation, fresh: set[str], checked: set[str], *, apart: bool
    ) -> "Branch":
        """Compare two simulations; the engine may have numbered bodies otherwise."""
        mine, theirs = new.rig.assembly, old.rig.assembly
        roots = _roots(theirs)
        joints = {joint.name: i for i, joint in enumerate(theirs.joints)}
        bodies = {body.name: i for i, body in enumerate(theirs.bodies)}
        known = [(i, b.name) for i, b in enumerate(mine.bodies) if _model(mine, i) not in fresh]
        both = _Pairs.of((i, bodies[name]) for i, name in known if name in bodies)
        sensors = old.sampler.named
        return cls(
            old=old,
            new=new,
            fresh=fresh,
            apart=apart,
            added=_added(old, new, checked),
            roots=_Pairs.of(
                (root, roots[name])
                for name, root in _roots(mine).items()
                if name in roots and _model(mine, root) not in fresh
            ),
            joints=_Pairs.of(
                (i, joints[j.name]) for i, j in enumerate(mine.joints) if j.name in joints
            ),
            runs=runs_of(both.new, both.old),
            numbers=renumbering(theirs, mine),
            vehicles=tuple(_continuing(old, new)),
            sensors=tuple(
                (name, sampled, sensors[name])
                for name, sampled in new.sampler.named.items()
                if name in sensors and sampled.is_like(sensors[name])
            ),
        )

    def go(self, state: State) -> None:
        """Bring the new simulation to the state of the old one, which is this."""
        old, new = self.old, self.new
        self._place_bodies(new.rig.engine)
        new.history.take_over(old.history, self.runs)
        self._take_over_vehicles(state)
        before = state.part("sensors")
        for name, sampled, other in self.sensors:
            sampled.take_over(other, partial(before.part, name))
        new.sampler.line_up()
        new.collisions.take_over(old.collisions, self.numbers)
        new.watch.take_over(old.watch, self.numbers)
        new.pushes.set_state(state.part("pushes"))
        self._take_over_memories(state.part("memories"))
        new.lockstep = old.lockstep
        new.go_on(old.steps, old.finished)

    def _place_bodies(self, places: Places) -> None:
        state = self.old.state
        joints = state.joints[self.joints.old]
        rows = state.bodies[self.roots.old]
        places.place_all(Placement(self.roots.new, rows, self.joints.new, joints))
        places.state.joints["effort"][self.joints.new] = joints["effort"]
        places.state.time_ns = state.time_ns

    def check(self) -> None:
        """Refuse a successor in which what is new has no possible mass or no free place now.

        It is tried in any thread, and leaves no trace in the engine.
        """
        if self.added and self.apart:
            self._check_masses()
        if self.added:
            trial = self.new.rig.trial()
            self._place_bodies(trial.places)
            check_starts(trial, self.added, apart=self.apart)

    def _check_masses(self) -> None:
        assembly = self.new.rig.assembly
        masses: dict[str, float] = {}
        for body in assembly.bodies:
            name = assembly.models[body.model]
            if name in self.added and body.mobility == "dynamic":
                masses[name] = masses.get(name, 0.0) + body.inertial.mass
        for name, mass in masses.items():
            check_mass(name, mass)

    def check_again(self) -> None:
        """Refuse it, if something has moved there meanwhile."""
        if self.added:
            check_meanwhile(self.new.rig, self.added, apart=self.apart)

    def _take_over_vehicles(self, state: State) -> None:
        """Transfer the state of robots, with their pending commands."""
        new, vehicles, robots = self.new, state.part("vehicles"), state.part("robots")
        for vehicle, other in self.vehicles:
            name = vehicle.name
            vehicle.take_over(other, vehicles.part(name))
            vehicle.tyres["ground"] = vehicle.tyres["mover"] = -1  # numbers of the other's scene
            new.robots[name].set_state(robots.part(name))
            new.commands[name].set_state(self.old.commands[name].get_state())  # the very last

    def _take_over_memories(self, states: State) -> None:
        """Transfer the state of the scenario's motions, paths and conditions."""
        for name, memory in self.new.memories.items():
            other = self.old.memories.get(name)
            if other is not None and other.made_of == memory.made_of:
                memory.part.set_state(states.part(name))


def _added(old: Simulation, new: Simulation, checked: set[str]) -> set[str]:
    added = set(new.rig.assembly.models) - set(old.rig.assembly.models)
    added |= {part.name for part in new.rig.assembly.static}
    added -= {part.name for part in old.rig.assembly.static} - checked
    return added | checked


def _continuing(old: Simulation, new: Simulation) -> Iterable[tuple[Vehicle, Vehicle]]:
    """Return the robots that have the same file in both."""
    before = {vehicle.name: vehicle for vehicle in old.rig.vehicles}
    for vehicle in new.rig.vehicles:
        other = before.get(vehicle.name)
        if other is not None and _same_drive(vehicle.robot, other.robot):
            yield vehicle, other


def _same_drive(one: Robot, other: Robot) -> bool:
    """Return whether two robots have the same file and the same joints."""
    joints = [[(joint.name, joint.kind) for joint in robot.model.joints] for robot in (one, other)]
    return one.spec == other.spec and joints[0] == joints[1]


def _roots(assembly: Assembly) -> dict[str, int]:
    """Return the bodies that no joint carries by their models; those of a scripted one each."""
    found = {}
    for i, body in enumerate(assembly.bodies):
        if body.joint < 0:
            found[body.name if body.mobility == "scripted" else _model(assembly, i)] = i
    return found


def _model(assembly: Assembly, body: int) -> str:
    return assembly.models[assembly.bodies[body].model]
