"""Changes to the world itself: lights, sky, gravity, props, materials.

From such a change on the world is the scenario's own. All functions belong between two steps.
"""

import math
from collections.abc import Callable
from dataclasses import replace

from outrider.core.errors import ConfigError
from outrider.core.structure import with_fields
from outrider.loader.library import load_world_spec
from outrider.loader.materials import library_materials
from outrider.scenarios.session.changes import SetObject, SetScenario, after_change
from outrider.scenarios.session.session import Session
from outrider.specs.world import RGBA, ObjectSpec, PartSpec, PoseSpec, ThingSpec, WorldSpec
from outrider.ui.editing import ahead, fresh_name, with_object
from outrider.world.materials import Material
from outrider.world.model import Light, Model
from outrider.world.shapes import MappedField
from outrider.world.tessellate import tessellate

_MOST_LIGHTS = 16


def world_of(session: Session) -> WorldSpec:
    """Return the world spec from its file or scenario, without the scenario's obstacles."""
    world = session.scenario.world
    return world if isinstance(world, WorldSpec) else load_world_spec(world)


def with_world(session: Session, **values: object) -> SetScenario:
    """Return the change that sets values of the world."""
    spec = with_fields(world_of(session), **values)
    return SetScenario(replace(session.scenario, world=spec))


def light_of(session: Session, name: str) -> Light | None:
    """Return a light of the world's file."""
    return next((light for light in world_of(session).lights if light.name == name), None)


def with_light(session: Session, name: str, **values: object) -> SetScenario:
    """Return the change that sets values of a light."""
    lights = world_of(session).lights
    if light_of(session, name) is None:
        raise ConfigError(f"there is no light '{name}' in the world's file")
    changed_ = tuple(
        with_fields(light, **values) if light.name == name else light for light in lights
    )
    return with_world(session, lights=changed_)


def added_light(session: Session, near: str) -> SetScenario:
    """Return the change that adds a lamp in front of a robot."""
    lights = world_of(session).lights
    if len(lights) >= _MOST_LIGHTS:
        raise ConfigError(f"there are already {_MOST_LIGHTS} lights, which is the maximum")
    taken = {light.name for light in lights}
    name = next(n for i in range(1, 99) if (n := f"lamp_{i}") not in taken)
    x, y = ahead(session, near)
    lamp = Light(name, "point", (x, y, 3.0), (0.0, 0.0, -1.0), range=15.0, cast_shadows=False)
    return with_world(session, lights=(*lights, lamp))


def without_light(session: Session, name: str) -> SetScenario:
    """Return the change that removes a light."""
    lights = tuple(light for light in world_of(session).lights if light.name != name)
    return with_world(session, lights=lights)


def angles_of(light: Light) -> tuple[float, float]:
    """Return the direction towards a light: azimuth from east to north and elevation, degrees."""
    x, y, z = (-part for part in light.direction)
    return math.degrees(math.atan2(y, x)), math.degrees(math.atan2(z, math.hypot(x, y)))


def direction_from(azimuth_deg: float, elevation_deg: float) -> tuple[float, float, float]:
    """Return the direction of light that comes from there."""
    azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
    flat = math.cos(elevation)
    return (-flat * math.cos(azimuth), -flat * math.sin(azimuth), -math.sin(elevation))


def thing_of(session: Session, name: str) -> ThingSpec | None:
    """Return the prop with a name in the world's file."""
    things = world_of(session).things
    single = (thing for thing in things if not (thing.places or thing.along))
    return next((thing for thing in single if thing.name == name), None)


def added_thing(session: Session, what: str, near: str) -> tuple[SetScenario, str]:
    """Return the change that adds a library prop in front of a robot, and its name."""
    x, y = ahead(session, near)
    name = fresh_name(session, what)
    thing = ThingSpec(what, name, PoseSpec(round(x, 3), round(y, 3)))
    return with_world(session, things=(*world_of(session).things, thing)), name


def with_thing(
    session: Session, name: str, change: Callable[[ThingSpec], ThingSpec | None]
) -> SetScenario:
    """Return the change that replaces or removes a prop."""
    if thing_of(session, name) is None:
        raise ConfigError(f"'{name}' is not a single prop of the world's file, so it stays")
    made = (change(t) if t.name == name else t for t in world_of(session).things)
    return with_world(session, things=tuple(thing for thing in made if thing is not None))


def triangles_seen(session: Session) -> int:
    """Return how many triangles the world shows without its robots, as ``outrider check`` does."""
    simulation = session.simulation
    models = (m for m in simulation.rig.assembly.world.models if m.name not in simulation.robots)
    return sum(_triangles(model) for model in models)


def _triangles(model: Model) -> int:
    seen = [g for link in model.links for g in link.visuals]
    shapes = [g.shape for g in seen or (g for link in model.links for g in link.colliders)]
    return sum(
        shape.triangles if isinstance(shape, MappedField) else len(tessellate(shape).faces)
        for shape in shapes
    )


def friction_of(session: Session, material: str) -> float:
    """Return a material's friction."""
    return _material(session, material).friction


def seen_colour(session: Session, item: ObjectSpec, part: PartSpec | None = None) -> RGBA:
    """Return the colour of an object or of one of its parts: its own, or its material's."""
    own = part.colour if part else None
    material = (part.material if part else "") or item.material
    return own or item.colour or _material(session, material).colour


def with_friction(session: Session, name: str, friction: float) -> SetScenario:
    """Return the change that gives an object its own material with another friction."""
    change = with_object(session, name)
    if not isinstance(change, SetObject):
        raise ConfigError(f"'{name}' is not an object")
    item = change.object
    spec = world_of(session)
    own = f"{name} surface"
    material = replace(_material(session, item.material), name=own, friction=friction)
    scenario = replace(
        session.scenario, world=replace(spec, materials={**spec.materials, own: material})
    )
    return SetScenario(after_change(scenario, SetObject(replace(item, material=own))))


def materials_of(session: Session) -> list[str]:
    """Return the names of the world's materials."""
    return sorted({*library_materials(), *world_of(session).materials})


def _material(session: Session, name: str) -> Material:
    known = {**library_materials(), **world_of(session).materials}
    if name not in known:
        raise ConfigError(f"there is no material '{name}'")
    return known[name]
