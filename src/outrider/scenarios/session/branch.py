"""From a simulation to its successor: everything that exists in both continues unchanged."""

from collections.abc import Container

import numpy as np

from outrider.sim.simulation import Simulation
from outrider.sim.start_poses import check_starts
from outrider.vehicles.robot import Robot
from outrider.world.assembly import Assembly


def branch(old: Simulation, new: Simulation, fresh: Container[str] = ()) -> None:
    """Bring a quiet new simulation to the state of the old one; ``fresh`` models start afresh.

    Both have one bus. What is made alike takes the state of the other; bodies, which the engine
    may number otherwise, are put where they were.
    """
    _place_bodies(old, new, fresh)
    _take_over_past(old, new, fresh)
    _take_over_vehicles(old, new)
    _take_over_sensors(old, new)
    new.collisions.take_over(old.collisions)
    new.watch.take_over(old.watch)
    new.pushes.set_state(old.pushes.get_state())
    _take_over_memories(old, new)
    new.lockstep = old.lockstep
    new.go_on(old.steps, old.finished)


def check_new(
    old: Simulation, new: Simulation, fresh: set[str], *, checked_before: bool = False
) -> None:
    """Refuse a successor in which what is new does not stand in a free place."""
    added = set(new.rig.assembly.models) - set(old.rig.assembly.models)
    added |= {part.name for part in new.rig.assembly.static}
    added -= {part.name for part in old.rig.assembly.static} - fresh
    if added | fresh:
        check_starts(new.rig, added | fresh, checked_before=checked_before)


def check_ahead(old: Simulation, new: Simulation, fresh: set[str]) -> None:
    """Do so before a successor is needed, in any thread, with all others where they are now."""
    _place_bodies(old, new, fresh)
    check_new(old, new, fresh)


def _place_bodies(old: Simulation, new: Simulation, fresh: Container[str]) -> None:
    engine, state = new.rig.engine, old.state
    mine, theirs = new.rig.assembly, old.rig.assembly
    roots = _roots(theirs)
    placed = [
        (root, roots[name])
        for name, root in _roots(mine).items()
        if name in roots and _model(mine, root) not in fresh
    ]
    if placed:
        own, other = np.array(placed, np.intp).T
        engine.place_all(own, state.bodies[other])
    numbers = {joint.name: i for i, joint in enumerate(theirs.joints)}
    both = [(i, numbers[j.name]) for i, j in enumerate(mine.joints) if j.name in numbers]
    if both:
        own, other = (np.array(column, np.intp) for column in zip(*both, strict=True))
        joints = state.joints[other]
        engine.set_joints(own, joints["position"].copy(), joints["velocity"].copy())
        engine.state.joints["effort"][own] = joints["effort"]
    engine.state.time_ns = state.time_ns


def _take_over_past(old: Simulation, new: Simulation, fresh: Container[str]) -> None:
    mine, theirs = new.rig.assembly, old.rig.assembly
    columns = {body.name: i for i, body in enumerate(theirs.bodies)}
    known = [(i, body.name) for i, body in enumerate(mine.bodies) if _model(mine, i) not in fresh]
    pairs = [(i, columns[name]) for i, name in known if name in columns]
    new.history.take_over(old.history, pairs)


def _take_over_vehicles(old: Simulation, new: Simulation) -> None:
    """Transfer the state of robots with the same file, with their pending commands."""
    before = {vehicle.name: vehicle for vehicle in old.rig.vehicles}
    for vehicle in new.rig.vehicles:
        name, other = vehicle.name, before.get(vehicle.name)
        if other is None or not _same_drive(vehicle.robot, other.robot):
            continue
        vehicle.set_state(other.get_state())
        vehicle.tyres["ground"] = vehicle.tyres["mover"] = -1  # numbers of the other's scene
        new.robots[name].set_state(old.robots[name].get_state())
        new.commands[name].set_state(old.commands[name].get_state())


def _same_drive(one: Robot, other: Robot) -> bool:
    """Return whether two robots have the same file and the same joints."""
    joints = [[(joint.name, joint.kind) for joint in robot.model.joints] for robot in (one, other)]
    return one.spec == other.spec and joints[0] == joints[1]


def _take_over_sensors(old: Simulation, new: Simulation) -> None:
    before = old.sampler.named
    for name, sampled in new.sampler.named.items():
        other = before.get(name)
        if other is not None and sampled.is_like(other):
            sampled.take_over(other)
    new.sampler.line_up()


def _take_over_memories(old: Simulation, new: Simulation) -> None:
    """Transfer the state of the scenario's motions, paths and conditions."""
    for name, memory in new.memories.items():
        other = old.memories.get(name)
        if other is not None and other.made_of == memory.made_of:
            memory.part.set_state(other.part.get_state())


def _roots(assembly: Assembly) -> dict[str, int]:
    """Return the bodies that no joint carries by their models; those of a scripted one each."""
    found = {}
    for i, body in enumerate(assembly.bodies):
        if body.joint < 0:
            found[body.name if body.mobility == "scripted" else _model(assembly, i)] = i
    return found


def _model(assembly: Assembly, body: int) -> str:
    return assembly.models[assembly.bodies[body].model]
