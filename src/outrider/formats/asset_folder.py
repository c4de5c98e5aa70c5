"""The folder beside a written model that holds its meshes and textures."""

import re
from pathlib import Path

from outrider.core.atomic_file import write_whole
from outrider.core.errors import FormatError
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
            name = self._free(hint, self._suffix)
            write_whole(self._place(hint) / name, mesh_bytes(mesh, self._suffix))
            self._meshes[id(mesh)] = mesh, self._called(name)
        return self._meshes[id(mesh)][1]

    def data(self, content: bytes, hint: str, suffix: str) -> str:
        """Write any content under a name like ``hint``, and return its path."""
        name = self._free(hint, suffix)
        write_whole(self._place(hint) / name, content)
        return self._called(name)

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

    def _called(self, name: str) -> str:
        return f"{self._place(name).name}/{name}"

    def _free(self, hint: str, suffix: str) -> str:
        stem = _UNSAFE.sub("_", hint).strip("._") or "mesh"
        name, number = f"{stem}{suffix}", 2
        while name.lower() in self._taken:  # some file systems know no capital letters
            name, number = f"{stem}_{number}{suffix}", number + 1
        self._taken.add(name.lower())
        return name
