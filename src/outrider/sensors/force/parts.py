"""What a joint carries: the links beyond it, as parts of rigid bodies."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from outrider.core.errors import ConfigError
from outrider.core.frames import AnyArray, matrix_from_quaternion
from outrider.world.assembly import WORLD, Assembly
from outrider.world.inertia import combine, moved
from outrider.world.model import Inertial, Link, Model

PART = np.dtype(
    [
        ("body", np.int64),
        ("mass", np.float64),
        ("centre", np.float64, (3,)),  # of mass, in the body's frame
        ("inertia", np.float64, (3, 3)),  # about that, in the body's axes
        ("whole", np.int64),  # whether it is the body itself rather than some links of it
    ]
)


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """The parts beyond a joint, and the names that contacts with a divided body have."""

    parts: AnyArray  # dtype PART
    names: frozenset[str]


def carried(assembly: Assembly, link: str) -> Carried:
    """Return what the joint that carries ``model/link`` holds; refuse a link without one."""
    owner, _, own = link.rpartition("/")
    model = _model(assembly.world.models, owner)
    if all(joint.child != own for joint in model.joints):
        joints = ", ".join(joint.child for joint in model.joints) or "none"
        raise ConfigError(
            f"no joint carries the link '{own}', so there is no force to measure; mount the sensor"
            f" on one of these links: {joints}"
        )
    beyond = _beyond(model, own)
    held: dict[int, list[Link]] = defaultdict(list)
    for part in beyond:
        held[assembly.frame(f"{owner}/{part.name}").body].append(part)
    if WORLD in held:
        raise ConfigError(f"'{link}' is static: there is no force to measure in its joint")
    heads = {body.name for body in assembly.bodies}
    whole = {body for body, links in held.items() if f"{owner}/{links[0].name}" in heads}
    rows = [_part(assembly, owner, body, links, body in whole) for body, links in held.items()]
    names = {
        f"{assembly.bodies[body].name}/{shape.name or part.name}"
        for body in held.keys() - whole
        for part in held[body]
        for shape in part.colliders
    }
    return Carried(np.array(rows, PART), frozenset(names))


def _model(models: Iterable[Model], name: str) -> Model:
    """Return a model by its full name; the names of models inside others follow a slash."""
    for model in models:
        if model.name == name:
            return model
        if name.startswith(f"{model.name}/"):
            return _model(model.children, name.removeprefix(f"{model.name}/"))
    raise ConfigError(f"there is no model '{name}'")


def _beyond(model: Model, link: str) -> list[Link]:
    """Return a link and all that it carries, parents first."""
    children = [joint.child for joint in model.joints if joint.parent == link]
    return [model.link(link), *(part for child in children for part in _beyond(model, child))]


def _part(
    assembly: Assembly, owner: str, body: int, links: list[Link], whole: bool
) -> tuple[object, ...]:
    inertials = [
        moved(part.inertial, assembly.frame(f"{owner}/{part.name}").T_body_link)
        for part in links
        if part.inertial is not None
    ]
    sum_: Inertial = combine(inertials)
    turn = matrix_from_quaternion(sum_.pose.rotation)
    return body, sum_.mass, sum_.pose.position, turn @ sum_.inertia @ turn.T, whole
