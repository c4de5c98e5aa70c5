"""The library of materials."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

from outrider.core.errors import ConfigError, near_match
from outrider.core.files.package_files import LIBRARY
from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data
from outrider.world.materials import Material


@lru_cache(maxsize=1)
def library_materials() -> Mapping[str, Material]:
    """Return the materials that every world knows, by name."""
    path = LIBRARY / "materials.yaml"
    data = read_yaml(path)
    found = from_data(dict[str, Material], data, path.name)
    return MappingProxyType(named(found))


def named(materials: Mapping[str, Material]) -> dict[str, Material]:
    """Return materials that bear the names they are filed under."""
    return {name: replace(material, name=name) for name, material in materials.items()}


def material(name: str, own: Mapping[str, Material], where: str) -> Material:
    """Return a material of the world or of the library; ``where`` is for errors."""
    known = {**library_materials(), **named(own)}
    if name not in known:
        raise ConfigError(f"{where}: there is no material '{name}'{near_match(name, known)}")
    return known[name]
