"""Model files that worlds include: our own YAML, URDF, SDF, or a single mesh."""

from dataclasses import replace
from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data
from outrider.loader.ground_file import named_file
from outrider.loader.solids import Appearance, rigid_link
from outrider.specs.file_kinds import is_kind
from outrider.specs.references import is_foreign, rooted
from outrider.specs.world import MeshSpec, ModelEntry, ModelSpec, PartSpec
from outrider.world.model import Geometry, Joint, Mobility, Model

LINK = "link"
_DEEPEST = 16


def load_model_spec(path: Path) -> ModelSpec:
    """Return a model's YAML file, with absolute paths."""
    data = {"name": path.stem, **read_yaml(path)}
    return from_data(ModelSpec, rooted(data, "model", path.parent), str(path))


def read_model_entry(entry: ModelEntry, where: str, above: tuple[Path, ...] = ()) -> Model:
    """Return an entry's model under its name, at the origin; nested models are its children."""
    path = named_file(entry.file, f"{where}: file").resolve()
    if path in above or len(above) > _DEEPEST:
        chain = " -> ".join(p.name for p in (*above, path))
        raise ConfigError(f"{where}: models include each other in a cycle: {chain}")
    model = _read(entry, path, above)
    if entry.fixed is not None:
        model = _with_mobility(model, "static" if entry.fixed else "dynamic")
    return replace(model, name=entry.name or model.name)


def load_model(path: Path) -> Model:
    """Return the model of a file, at the origin."""
    return read_model_entry(ModelEntry(str(path)), str(path))


def flattened(model: Model) -> list[Model]:
    """Return a model and those nested in it side by side, each in the world's frame."""
    # a model without a name only holds others, which keep theirs
    found = [replace(model, children=())] if model.name else []
    for child in model.children:
        name, pose = f"{model.name}/{child.name}".lstrip("/"), model.pose @ child.pose
        found += flattened(replace(child, name=name, pose=pose))
    return found


def model_geometry(model: Model) -> tuple[Geometry, ...]:
    """Return a model's colliders, or else its visuals, in its own frame."""
    found, poses = [], model.link_poses()
    for link in model.links:
        shapes = link.colliders or link.visuals
        found += [replace(g, pose=poses[link.name] @ g.pose) for g in shapes]
    for child in model.children:
        found += [replace(g, pose=child.pose @ g.pose) for g in model_geometry(child)]
    return tuple(found)


def _read(entry: ModelEntry, path: Path, above: tuple[Path, ...]) -> Model:
    if is_foreign(path.name):
        return _read_foreign(entry)
    if is_kind(path, "own"):
        return _read_own(path, above)
    return _read_mesh(path)


def _read_own(path: Path, above: tuple[Path, ...]) -> Model:
    spec = load_model_spec(path)
    where = f"{path.name}: model '{spec.name}'"
    if not spec.parts and not spec.models:
        raise ConfigError(f"{where}: it has neither parts nor models")
    link = rigid_link(LINK, spec.parts, spec.mass, Appearance(where, spec.material, spec.materials))
    nested = [_nested(entry, where, (*above, path)) for entry in spec.models]
    _check_names(nested, where)
    if spec.mass == 0:
        return Model(spec.name, (link,), mobility="static", children=tuple(nested))
    # what has no mass of its own goes where the model goes; what has one only lies there
    held = [model for model in nested if model.mobility == "static"]
    loose = tuple(model for model in nested if model.mobility != "static")
    whole = Model(spec.name, (link,), mobility="dynamic", children=loose)
    for model in held:
        whole = _attached(whole, model)
    return whole


def _nested(entry: ModelEntry, where: str, above: tuple[Path, ...]) -> Model:
    return replace(read_model_entry(entry, where, above), pose=entry.pose.pose())


def _check_names(models: list[Model], where: str) -> None:
    names = [model.name for model in models]
    for name in names:
        if names.count(name) > 1:
            raise ConfigError(f"{where}: two models in it have the name '{name}'")


def _attached(whole: Model, part: Model) -> Model:
    """Return a model with a fixed one held to its first link."""
    prefix = f"{part.name}/"
    links = [replace(link, name=prefix + link.name) for link in part.links]
    joints = [
        replace(j, name=prefix + j.name, parent=prefix + j.parent, child=prefix + j.child)
        for j in part.joints
    ]
    root = prefix + part.roots[0].name
    hold = Joint(f"{prefix}hold", "fixed", whole.links[0].name, root, part.pose)
    whole = replace(whole, links=(*whole.links, *links), joints=(*whole.joints, *joints, hold))
    for child in part.children:
        placed = replace(child, name=prefix + child.name, pose=part.pose @ child.pose)
        whole = _attached(whole, placed)
    return whole


def _read_foreign(entry: ModelEntry) -> Model:
    from outrider.loader.foreign_world import foreign_model, stands_still

    model = foreign_model(entry)
    is_scenery = bool(model.name) and stands_still(model)
    return _with_mobility(model, "static") if is_scenery else model


def _read_mesh(path: Path) -> Model:
    parts = (PartSpec(MeshSpec(file=str(path))),)
    link = rigid_link(LINK, parts, 0.0, Appearance(str(path), "concrete", {}))
    return Model(path.stem, (link,), mobility="static")


def _with_mobility(model: Model, mobility: Mobility) -> Model:
    children = tuple(_with_mobility(child, mobility) for child in model.children)
    return replace(model, mobility=mobility, children=children)
