"""From one simulation to its successor: everything that is in both goes on as it was."""

from collections.abc import Callable, Container
from typing import Any

import numpy as np

from outrider.core.frames import Pose
from outrider.core.memento import Arrays, Node, Notes, Restorer
from outrider.core.memento_changes import Changes
from outrider.messages.store import message_class
from outrider.scenarios.conditions import CollisionQuestion
from outrider.scenarios.motions import MotionDriver
from outrider.scenarios.session.saved_state import BUILT, CHANGING, anchors, channel_names, channels
from outrider.sensors.history import History
from outrider.sensors.sampling import Sampled
from outrider.sim.collisions import CollisionLog, CollisionWatch
from outrider.sim.robot_handle import RobotHandle
from outrider.sim.simulation import Simulation
from outrider.vehicles.vehicle import Vehicle
from outrider.world.assembly import WORLD, Assembly
from outrider.world.state import WorldState

# What tyres and motors remember; where they are and what they weigh is the new one's own.
_TYRE = ("bristle", "force", "load")
_MOTOR = ("target", "setpoint", "wound", "braking", "anchor", "last_torque", "last_speed")

_LOOKED_AT = (CollisionLog, CollisionWatch, History, RobotHandle, Vehicle, WorldState)

Births = dict[frozenset[int], tuple[Node, Arrays]]  # by the topics that a sensor speaks on


def births(simulation: Simulation) -> Births:
    """Return how each sensor was when it was made, to tell later what has changed."""
    found = {}
    for sampled in simulation.parts().sampler.sensors:
        notes = _sensor_notes(simulation)
        found[_key(sampled)] = notes.note(sampled), notes.arrays
    return found


def _sensor_notes(simulation: Simulation) -> Notes:
    """Return what notes a sensor's own memory, and nothing of what it looks at."""
    fixed = anchors(simulation)
    names = channel_names(simulation) | {id(array): "what it looks at" for array in fixed}
    seen = (*BUILT, *_LOOKED_AT, type(simulation.rig.engine))
    return Notes(seen, names, CHANGING, fixed)


def carry(old: Simulation, new: Simulation, born: Births, fresh: Container[str] = ()) -> None:
    """Bring a quiet new simulation to where the old one is; ``fresh`` models start anew."""
    _carry_bodies(old, new, fresh)
    before = {vehicle.name: (i, vehicle) for i, vehicle in enumerate(old.rig.vehicles)}
    for i, vehicle in enumerate(new.rig.vehicles):
        first, other = before.get(vehicle.name, (0, None))
        if other is not None and other.robot.spec == vehicle.robot.spec:
            _carry_vehicle(old, new, other, vehicle)
            _copy(old, new, old.parts().inputs[first], new.parts().inputs[i])
    if old.parts().wake.is_set():
        new.parts().wake.set()
    _carry_sensors(old, new, born)
    _carry_events(old, new)
    new.lockstep, new.pushes = old.lockstep, old.pushes
    new.go_on_from(old.steps, old.finished)


def _carry_bodies(old: Simulation, new: Simulation, fresh: Container[str]) -> None:
    engine, state = new.rig.engine, old.state
    mine, theirs = new.rig.assembly, old.rig.assembly
    roots = _roots(theirs)
    for name, root in _roots(mine).items():
        if name in roots and name not in fresh:
            row = state.bodies[roots[name]]
            pose = Pose(row["position"].copy(), row["rotation"].copy())
            engine.place(root, pose, row["velocity"].copy(), row["angular_velocity"].copy())
    numbers = {joint.name: i for i, joint in enumerate(theirs.joints)}
    both = [(i, numbers[j.name]) for i, j in enumerate(mine.joints) if j.name in numbers]
    if both:
        own, other = (np.array(column, np.intp) for column in zip(*both, strict=True))
        joints = state.joints[other]
        engine.set_joints(own, joints["position"].copy(), joints["velocity"].copy())
        engine.state.joints["effort"][own] = joints["effort"]
    engine.state.time_ns = state.time_ns
    there = _number(theirs, mine)
    known = [(i, there(i)) for i in range(len(mine.bodies)) if _model(mine, i) not in fresh]
    past = [(i, other) for i, other in known if other != WORLD]
    new.parts().history.carry(old.parts().history, past)


def _carry_vehicle(old: Simulation, new: Simulation, before: Vehicle, now: Vehicle) -> None:
    """Take over what controller, odometry, motors and tyres of a robot remember."""
    for name in ("controller", "odometry"):
        _copy(old, new, getattr(before, name), getattr(now, name))
    a, b = old.rig.motors.rows[before.motors], new.rig.motors.rows[now.motors]
    for field in _MOTOR:
        b[field] = a[field]
    for field in _TYRE:
        now.tyres[field] = before.tyres[field]
    new.robots[now.name].start = old.robots[now.name].start


def _carry_sensors(old: Simulation, new: Simulation, born: Births) -> None:
    """Take over what sensors of the same topics have gone through since they were made."""
    before = {_key(sampled): sampled for sampled in old.parts().sampler.sensors}
    sampler = new.parts().sampler
    for sampled in sampler.sensors:
        other = before.get(_key(sampled))
        if other is None or type(other.sensor) is not type(sampled.sensor):
            continue
        notes = _sensor_notes(old)
        now = notes.note(other)
        then, arrays = born[_key(sampled)]
        since = Changes(notes.arrays, arrays).between(now, then)
        Restorer(notes.arrays, channels(new), message_class, resized=True).restore(since, sampled)
    sampler.line_up()


def _carry_events(old: Simulation, new: Simulation) -> None:
    """Know the collisions that were, and where scripted motions stand."""
    new.collisions.carry(old.collisions, _number(new.rig.assembly, old.rig.assembly))
    new.parts().watch.carry(old.parts().watch)
    for condition in new.conditions:
        if isinstance(condition, CollisionQuestion):
            condition.carry(new.collisions.total)
    drivers = {d.name: d for d in old.drivers if isinstance(d, MotionDriver)}
    for driver in new.drivers:
        if isinstance(driver, MotionDriver) and driver.name in drivers:
            driver.carry(drivers[driver.name])


def _copy(old: Simulation, new: Simulation, source: Any, target: Any) -> None:
    """Make one object remember what another of the same make does."""
    notes = Notes(BUILT, channel_names(old), CHANGING)
    Restorer(notes.arrays, channels(new), message_class).restore(notes.note(source), target)


def _key(sampled: Sampled) -> frozenset[int]:
    # both simulations have one bus, so a topic is the same object, whatever its name
    return frozenset(id(channel) for channel, _ in sampled.outputs)


def _roots(assembly: Assembly) -> dict[str, int]:
    return {_model(assembly, i): i for i, body in enumerate(assembly.bodies) if body.joint < 0}


def _model(assembly: Assembly, body: int) -> str:
    return assembly.models[assembly.bodies[body].model]


def _number(there: Assembly, here: Assembly) -> Callable[[int], int]:
    """Return what tells a body's number there by its number here; WORLD if it is gone."""
    numbers = {body.name: i for i, body in enumerate(there.bodies)}

    def number(body: int) -> int:
        return WORLD if body == WORLD else numbers.get(here.bodies[body].name, WORLD)

    return number
