"""A model or world written to a file in the format of its suffix."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

from outrider.core.errors import FormatError, near_match
from outrider.core.files.atomic_file import nothing_new, write_whole
from outrider.core.frames import Pose
from outrider.formats.elevation.write import image_error
from outrider.formats.inner_references import found_in, has_inner
from outrider.formats.mesh.gltf.write import write_glb
from outrider.formats.mjcf.write import Solid, write_mjcf
from outrider.formats.sdf.write import lost_in_sdf, write_sdf
from outrider.formats.urdf.write import lost_in_urdf, write_urdf
from outrider.specs.file_kinds import written_as
from outrider.world.model import Joint, Link, Model, World
from outrider.world.shapes import HeightField

HeightsAs: TypeAlias = Literal["auto", "mesh", "image"]
MANY_HEIGHTS = 250_000  # beyond, a text file of triangles is tens of megabytes


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written, and a sentence for everything that the format cannot say."""

    path: Path
    lost: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """How to write: height fields in SDF, and what MuJoCo's colliders are made of."""

    heights: HeightsAs = "auto"
    solid: Solid | None = None


def export_file(
    of: World | Model, path: Path | str, options: ExportOptions | None = None
) -> Exported:
    """Write a model or world; meshes and pictures go to a folder beside the file.

    They are written first; the file itself is last and replaces an old one in a single move.
    """
    path = Path(path)
    writer = WRITERS.get(path.suffix.lower())
    if writer is None:
        known = ", ".join(WRITERS)
        hint = near_match(path.suffix, WRITERS)
        raise FormatError(
            f"{path}: expected a name that ends in {known}, not '{path.suffix}'{hint}"
        )
    before = _assets_named(path)
    with nothing_new(assets_of(path)):
        content, lost = writer(of, path, options or ExportOptions())
        write_whole(path, content)
    # files of other formats may share the folder
    needed = set().union(*(_assets_named(path.with_suffix(suffix)) for suffix in WRITERS))
    for stale in before - needed:
        stale.unlink(missing_ok=True)
    return Exported(path, tuple(lost))


def _assets_named(path: Path) -> set[Path]:
    """Return the files in its own folder that a written file names, if there is one."""
    if not path.is_file() or not has_inner(path):
        return set()
    folder = assets_of(path).resolve()
    found = {file.resolve() for _, file in found_in(path) if file is not None}
    return {file for file in found if file.is_relative_to(folder)}


def assets_of(path: Path) -> Path:
    """Return the folder that holds the meshes and pictures of a written file."""
    return path.parent / f"{path.stem}_files"


def as_one_model(world: World) -> Model:
    """Return a world as a single model: its only one, or all fixed ones on one link."""
    if len(world.models) == 1:
        return world.models[0]
    moving = [model.name for model in world.models if model.mobility != "static"]
    if moving or not world.models:
        found = f"'{moving[0]}' moves" if moving else "it is empty"
        raise FormatError(
            f"world '{world.name}' cannot be one URDF, because {found}: write .sdf, .xml or .glb"
        )
    links: list[Link] = [Link("world")]
    joints: list[Joint] = []
    for model in world.models:
        _graft(model, Pose(), "", links, joints)
    return Model(world.name, tuple(links), tuple(joints), mobility="static")


def _graft(model: Model, pose: Pose, prefix: str, links: list[Link], joints: list[Joint]) -> None:
    """Fix a model's root to the world, its names behind the model's."""
    own = f"{prefix}{model.name}/"
    place = pose @ model.pose
    links += [replace(link, name=own + link.name) for link in model.links]
    joints += [
        Joint(f"{own}{root.name}_fixed", "fixed", "world", own + root.name, place)
        for root in model.roots
    ]
    joints += [
        replace(j, name=own + j.name, parent=own + j.parent, child=own + j.child)
        for j in model.joints
    ]
    for inner in model.children:
        _graft(inner, place, own, links, joints)


Written: TypeAlias = tuple[bytes, list[str]]


def _urdf(of: World | Model, path: Path, _options: ExportOptions) -> Written:
    model = of if isinstance(of, Model) else as_one_model(of)
    return write_urdf(model, assets_of(path)).encode(), lost_in_urdf(model)


def _sdf(of: World | Model, path: Path, options: ExportOptions) -> Written:
    fields = _height_fields(of)
    many = any(field.heights.size > MANY_HEIGHTS for field in fields)
    heights = options.heights
    if heights == "auto":
        heights = "image" if many else "mesh"
    lost = lost_in_sdf(of)
    if heights == "image" and fields:
        most = max(image_error(field) for field in fields)
        lost.append(f"heights beyond {most * 1000:.3g} mm: they are a 16-bit image")
    return write_sdf(of, assets_of(path), heights).encode(), lost


def _mjcf(of: World | Model, path: Path, options: ExportOptions) -> Written:
    return write_mjcf(of, assets_of(path), options.solid).encode(), []


def _glb(of: World | Model, _path: Path, _options: ExportOptions) -> Written:
    return write_glb(of), ["masses, joints and colliders: a GLB contains frames and appearance"]


def _height_fields(of: World | Model) -> list[HeightField]:
    models = list(of.models) if isinstance(of, World) else [of]
    found = [
        geometry.shape
        for model in models
        for link in model.links
        for geometry in (*link.visuals, *link.colliders)
        if isinstance(geometry.shape, HeightField)
    ]
    return found + [
        field for model in models for m in model.children for field in _height_fields(m)
    ]


WRITERS: dict[str, Callable[[World | Model, Path, ExportOptions], Written]] = {
    suffix: writer
    for name, writer in (
        ("URDF", _urdf),
        ("SDF 1.4 to 1.11", _sdf),
        ("MJCF", _mjcf),
        ("glTF 2.0", _glb),
    )
    for suffix in written_as(name)
}
