"""The folder beside a written model that holds its meshes and textures."""

import re
from pathlib import Path

from outrider.core.errors import FormatError
from outrider.core.files.atomic_file import write_whole
from outrider.formats.mesh.write import mesh_bytes
from outrider.world.shapes import Mesh

_UNSAFE = re.compile(r"[^A-Za-z0-9_.-]+")


class AssetFolder:
    """Writes each mesh and texture once, and says how the model beside the folder calls it."""

    def __init__(self, folder: Path | None, suffix: str = ".obj") -> None:
        """Without a folder nothing can be written: the first mesh is an error."""
        self._folder = folder
        self._suffix = suffix
        self._meshes: dict[int, tuple[Mesh, str]] = {}  # kept, so that no number is used again
        self._textures: dict[str, str] = {}
        self._taken: set[str] = set()

    def mesh(self, mesh: Mesh, hint: str) -> str:
        """Write a mesh under a name like ``hint``, and return its path from the model's file."""
        if id(mesh) not in self._meshes:
            content = mesh_bytes(mesh, self._suffix)
            self._meshes[id(mesh)] = mesh, self.data(content, hint, self._suffix)
        return self._meshes[id(mesh)][1]

    def data(self, content: bytes, hint: str, suffix: str) -> str:
        """Write any content under a name like ``hint``, and return its path."""
        folder = self._place(hint)
        name = self._free(folder, hint, suffix, content)
        if not (folder / name).is_file():
            write_whole(folder / name, content)
        return f"{folder.name}/{name}"

    def texture(self, path: str) -> str:
        """Copy an image, and return its path from the model's file; empty if there is none."""
        if path not in self._textures:
            self._textures[path] = self._copy(Path(path)) if path else ""
        return self._textures[path]

    def _copy(self, source: Path) -> str:
        try:
            content = source.read_bytes()
        except OSError:
            return ""  # a model without its picture is still the model
        return self.data(content, source.stem, source.suffix)

    def _place(self, what: str) -> Path:
        if self._folder is None:
            raise FormatError(f"'{what}' is a file of its own: give a folder for meshes")
        return self._folder

    def _free(self, folder: Path, hint: str, suffix: str, content: bytes) -> str:
        """Return a name that nothing else has: a model written before keeps its files."""
        stem = _UNSAFE.sub("_", hint).strip("._") or "mesh"
        name, number = f"{stem}{suffix}", 2
        # some file systems know no capital letters
        while name.lower() in self._taken or _holds_other(folder / name, content):
            name, number = f"{stem}_{number}{suffix}", number + 1
        self._taken.add(name.lower())
        return name


def _holds_other(path: Path, content: bytes) -> bool:
    """Return whether there is something else than this in a file."""
    try:
        return path.stat().st_size != len(content) or path.read_bytes() != content
    except FileNotFoundError:
        return False
    except OSError as error:
        raise FormatError(f"{path}: cannot be read: {error.strerror or error}") from None
