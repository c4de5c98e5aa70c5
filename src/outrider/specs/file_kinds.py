"""The table of file suffixes and kinds, for readers, writers, errors and docs."""

from pathlib import PurePath
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "description",  # a robot, model or world of another program
    "mesh",
    "unread mesh",  # of a program whose files only it reads
    "image",
    "height image",
    "elevation",
    "own",  # YAML of ours
    "project",
]


class FileFormat(NamedTuple):
    """A row: a format, its suffixes, those it can be written with, and its reader."""

    name: str
    kind: Kind
    suffixes: tuple[str, ...]
    written: tuple[str, ...] = ()
    reader: str = ""  # module and function below outrider.formats, where a kind has several


_UNREAD = (".blend", ".max", ".skp", ".usd", ".usda", ".usdc", ".usdz", ".3ds", ".3mf", ".off")
_PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".tga", ".tif", ".tiff", ".gif", ".webp", ".ppm")
FORMATS = (
    FileFormat("URDF", "description", (".urdf",), (".urdf",)),
    FileFormat("xacro", "description", (".xacro",)),
    FileFormat("SDF 1.4 to 1.11", "description", (".sdf", ".world"), (".sdf", ".world")),
    FileFormat("MJCF", "description", (".xml", ".mjcf"), (".xml", ".mjcf")),
    FileFormat("Collada", "mesh", (".dae",), (), "mesh.collada.scene.read_collada"),
    FileFormat("Wavefront", "mesh", (".obj",), (".obj",), "mesh.obj.read_wavefront"),
    FileFormat("STL", "mesh", (".stl",), (".stl",), "mesh.stl.read_stl"),
    FileFormat("PLY", "mesh", (".ply",), (".ply",), "mesh.ply.read_ply"),
    FileFormat("glTF 2.0", "mesh", (".gltf", ".glb"), (".glb",), "mesh.gltf.read.read_gltf"),
    FileFormat("FBX", "mesh", (".fbx",), (), "mesh.fbx.read_fbx"),
    FileFormat("other 3D programs", "unread mesh", (*_UNREAD, ".step", ".stp", ".iges")),
    FileFormat("images", "image", _PICTURES, (".png", ".jpg", ".jpeg", ".webp", ".bmp")),
    FileFormat(
        "height images",
        "height image",
        (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".pgm"),
        (".png",),
    ),
    FileFormat("ASCII grid", "elevation", (".asc",), (), "elevation.ascii_grid.read_ascii_grid"),
    FileFormat("SRTM", "elevation", (".hgt",), (), "elevation.srtm.read_srtm"),
    FileFormat(
        "GeoTIFF and other rasters",
        "elevation",
        (".tif", ".tiff", ".dem", ".img"),
        (),
        "elevation.geotiff.read_geotiff",
    ),
    FileFormat("our own", "own", (".yaml", ".yml"), (".yaml", ".yml")),
    FileFormat("project", "project", (".zip",), (".zip",)),
)


def suffixes(*kinds: Kind) -> tuple[str, ...]:
    """Return the suffixes of some kinds, in the table's order."""
    found = [suffix for row in FORMATS if row.kind in kinds for suffix in row.suffixes]
    return tuple(dict.fromkeys(found))


def is_kind(name: str | PurePath, *kinds: Kind) -> bool:
    """Tell by its suffix whether a file is of one of some kinds."""
    return PurePath(name).suffix.lower() in suffixes(*kinds)


def format_of(name: str | PurePath, kind: Kind) -> FileFormat | None:
    """Return the format of a file, taken as one of a kind."""
    suffix = PurePath(name).suffix.lower()
    return next((row for row in FORMATS if row.kind == kind and suffix in row.suffixes), None)


def written(*kinds: Kind) -> tuple[str, ...]:
    """Return the suffixes that files of some kinds are written with."""
    return tuple(suffix for row in FORMATS if row.kind in kinds for suffix in row.written)


def written_as(name: str) -> tuple[str, ...]:
    """Return the suffixes that a format of the table is written with."""
    return next(row.written for row in FORMATS if row.name == name)
