"""What casts rays here: Embree where its package is installed, else a tree of our own."""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from types import MappingProxyType
from typing import TypeAlias

from outrider.scene.embree import Sieve, Triangles
from outrider.scene.embree import Tracer as EmbreeTracer
from outrider.scene.tree_tracer import TreeTracer

Tracer: TypeAlias = EmbreeTracer | TreeTracer

_NO_SIEVES: Mapping[int, Sieve] = MappingProxyType({})


@cache
def has_embree() -> bool:
    """Return whether Embree's package is installed; it has no wheel for Linux on ARM."""
    return find_spec("embreex") is not None


def tracer_of(meshes: list[Triangles], sieves: Mapping[int, Sieve] = _NO_SIEVES) -> Tracer:
    """Return what casts rays into meshes; ``sieves`` let rays through some of them."""
    return EmbreeTracer(meshes, sieves) if has_embree() else TreeTracer(meshes, sieves)
