"""A hash of what a simulation was built from: equal if everything that moves it is equal."""

from collections.abc import Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from outrider.core.cache import content_key
from outrider.sim.rig import Rig
from outrider.world.model import Geometry
from outrider.world.shapes import HeightField, MappedField, Mesh

_known: "WeakKeyDictionary[Rig, str]" = WeakKeyDictionary()


def fingerprint(rig: Rig) -> str:
    """Return a hash of all bodies, joints, shapes and surfaces, wherever their files are."""
    if rig not in _known:
        _known[rig] = content_key(*_content(rig))
    return _known[rig]


def _content(rig: Rig) -> Iterator[object]:
    assembly = rig.assembly
    yield type(rig.engine).__name__
    yield rig.step_s
    yield assembly.world.gravity
    for part in assembly.static:
        yield part.name
        yield from _shapes(part.visuals)
        yield from _shapes(part.colliders)
    for body in assembly.bodies:
        yield body.name
        yield body.inertial.mass
        yield body.inertial.inertia
        yield body.inertial.pose.position
        yield body.pose.position
        yield body.pose.rotation
        yield from _shapes(body.visuals)
        yield from _shapes(body.colliders)
    for joint in assembly.joints:
        j = joint.joint
        yield joint.name
        yield (j.kind, j.axis, j.lower, j.upper, j.damping, j.friction, j.stiffness, j.rest)
    for vehicle in rig.vehicles:
        spec = vehicle.robot.spec  # without the files it names: they may lie elsewhere
        yield (spec.tyre, spec.motor, spec.steering_motor, spec.castors, spec.suspension)
        yield (spec.limits, spec.command_timeout_s, vehicle.robot.drivetrain.driven)


def _shapes(geometry: tuple[Geometry, ...]) -> Iterator[object]:
    for g in geometry:
        yield g.pose.position
        yield g.pose.rotation
        yield replace(g.material, texture="", detail="")
        if isinstance(g.shape, Mesh):
            yield g.shape.vertices
            yield g.shape.faces
        elif isinstance(g.shape, MappedField):
            yield g.shape.tops[0]
            yield g.shape.size
        elif isinstance(g.shape, HeightField):
            yield g.shape.heights
            yield g.shape.size
        else:
            yield g.shape
