"""What casts rays here: Embree where its package is installed, else a tree of our own."""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import TypeAlias

from outrider.core.process.notices import say_once
from outrider.scene.embree import HitFilter, Triangles
from outrider.scene.embree import Tracer as EmbreeTracer
from outrider.scene.tree_tracer import TreeTracer

Tracer: TypeAlias = EmbreeTracer | TreeTracer

WITHOUT = (
    "rays are cast without Embree, 5 to 10 times slower, as the package 'embreex' is not installed "
    "(it has no wheel for Linux on ARM)"
)
_NO_SIEVES: Mapping[int, HitFilter] = MappingProxyType({})


@cache
def has_embree() -> bool:
    """Return whether Embree's package is installed; it has no wheel for Linux on ARM."""
    return find_spec("embreex") is not None


def tracer_of(meshes: list[Triangles], hit_filters: Mapping[int, HitFilter] = _NO_SIEVES) -> Tracer:
    """Return what casts rays into meshes; ``hit_filters`` let rays through some of them."""
    if has_embree():
        return EmbreeTracer(meshes, hit_filters)
    say_once(WITHOUT)
    return TreeTracer(meshes, hit_filters)
