"""Embree's own C interface, in the library that the package embreex includes.

The package's Python classes copy meshes element by element and cast rays one by one; here Embree
reads our arrays where they are, and takes as many rays at a time as the machine can.
"""

import ctypes
import weakref
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from outrider.core.errors import SceneError
from outrider.core.frames import AnyArray
from outrider.core.structure import Data
from outrider.scene.embree_kernels import Query, intersect, occlude
from outrider.scene.packets import Packets

Floats32: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int32]
Triangles: TypeAlias = tuple[Floats32, Ints]  # vertices (n, 3), faces (m, 3)

_TRIANGLES, _INDICES, _VERTICES = 0, 0, 1  # RTCGeometryType, RTCBufferType
_UINT3, _FLOAT3 = 0x5003, 0x9003  # RTCFormat
_ROBUST = 4  # RTCSceneFlags: no ray slips through between two triangles
_LANES = {16: 34, 8: 33, 4: 32}  # RTCDeviceProperty: whether so many rays at a time are swift
_COHERENT = 1 << 16  # RTCRayQueryFlags
_ALL_FEATURES = 0xFFFFFFFF  # RTCFeatureFlags
_RETURNS_POINTER = ("rtcNewDevice", "rtcNewScene", "rtcNewGeometry")


_APART = 8  # rays at a time that have nothing in common


class HitFilter(NamedTuple):
    """Compiled code that takes hits back: the address of an RTCFilterFunctionN, and its data."""

    function: int
    data: AnyArray
    kept: object = None  # what the data point to


class Tracer:
    """Triangle meshes that rays are cast into, numbered in the order given.

    Vertices must come from ``padded_rows``. Several threads may cast at once.
    """

    def __init__(
        self, meshes: list[Triangles], hit_filters: Mapping[int, HitFilter] = MappingProxyType({})
    ) -> None:
        """``hit_filters`` let rays through some of the meshes."""
        library, device = _embree()
        self._read = meshes, hit_filters  # by Embree, for as long as the scene lives
        scene = library.rtcNewScene(device)
        weakref.finalize(self, library.rtcReleaseScene, scene)
        library.rtcSetSceneFlags(scene, _ROBUST)
        for number, (vertices, faces) in enumerate(meshes):
            _attach(scene, vertices, faces, hit_filters.get(number))
        library.rtcCommitScene(scene)
        error = library.rtcGetDeviceError(device)
        if error:
            raise SceneError(f"Embree cannot take the world's triangles: its error {error}")
        self._intersect = _queries("rtcIntersect", int(scene.value))
        self._occlude = _queries("rtcOccluded", int(scene.value))

    @property
    def coherent(self) -> Query:
        """How compiled code casts rays that are alike; valid as long as the tracer lives."""
        return self._intersect[True]

    def nearest(
        self, origins: Floats32, directions: Floats32, far: Floats32, alike: bool = False
    ) -> Data:
        """Return where rays end, as arrays under Embree's names; ``far`` becomes the distances.

        Rays that are ``alike``, each nearly like the next, are cast together, which is faster.
        """
        n = len(far)
        shape, face = np.empty(n, np.int32), np.empty(n, np.int32)
        u, v, normal = (
            np.empty(n, np.float32),
            np.empty(n, np.float32),
            np.empty((n, 3), np.float32),
        )
        intersect(
            self._intersect[alike],
            origins,
            directions,
            far=far,
            shape=shape,
            face=face,
            u=u,
            v=v,
            normal=normal,
        )
        return {"tfar": far, "geomID": shape, "primID": face, "u": u, "v": v, "Ng": normal}

    def packets(self, runs: Sequence[Ints]) -> Packets | None:
        """Return how to cast rays that always come in the same order, out of compiled code.

        The rays of each run, by number, are each nearly like the next.
        """
        return Packets.of(self._intersect[True], runs)

    def blocked(
        self, origins: Floats32, directions: Floats32, far: Floats32, alike: bool = False
    ) -> NDArray[np.bool_]:
        """Return for each ray whether anything lies on its way."""
        out = np.empty(len(far), np.bool_)
        occlude(self._occlude[alike], origins, directions, far, out)
        return out


def padded_rows(vertices: int) -> Floats32:
    """Return an array (n, 3) with padding behind it: Embree reads four numbers at a time."""
    return np.zeros(3 * vertices + 1, np.float32)[:-1].reshape(vertices, 3)


def _attach(
    scene: ctypes.c_void_p, vertices: Floats32, faces: Ints, hit_filter: HitFilter | None
) -> None:
    library, device = _embree()
    mesh = library.rtcNewGeometry(device, _TRIANGLES)
    for kind, form, array in ((_VERTICES, _FLOAT3, vertices), (_INDICES, _UINT3, faces)):
        library.rtcSetSharedGeometryBuffer(
            mesh,
            kind,
            0,
            form,
            ctypes.c_void_p(array.ctypes.data),
            ctypes.c_size_t(0),
            ctypes.c_size_t(12),
            ctypes.c_size_t(len(array)),
        )
    if hit_filter is not None:
        library.rtcSetGeometryUserData(mesh, ctypes.c_void_p(hit_filter.data.ctypes.data))
        for query in ("Intersect", "Occluded"):
            let = getattr(library, f"rtcSetGeometry{query}FilterFunction")
            let(mesh, ctypes.c_void_p(hit_filter.function))
    library.rtcCommitGeometry(mesh)
    library.rtcAttachGeometry(scene, mesh)
    library.rtcReleaseGeometry(mesh)


@cache
def _embree() -> tuple[ctypes.CDLL, ctypes.c_void_p]:
    """Return the library and a device; both live as long as the process."""
    library = ctypes.CDLL(str(_find()))
    for name in _RETURNS_POINTER:
        getattr(library, name).restype = _Pointer
    device = library.rtcNewDevice(None)
    if not device.value:
        raise SceneError("Embree does not start on this machine")
    return library, device


class _Pointer(ctypes.c_void_p):
    """A pointer that stays one: ctypes would make a plain number of it, cut to 32 bits."""


def _find() -> Path:
    import embreex
    import embreex.rtcore_scene

    package = Path(embreex.__file__).parent
    for folder in (package.parent / "embreex.libs", package / ".dylibs", package):
        for path in sorted(folder.glob("*embree4*")):
            return path
    raise SceneError("the package embreex brings no Embree 4 library: install it again with pip")


def _queries(name: str, scene: int) -> tuple[Query, Query]:
    """Return how rays are cast into a scene that are not alike, and those that are."""
    counts = (_APART, _lanes())
    apart, alike = (
        Query(_address(f"{name}{lanes}"), scene, _manner(bool(close)).ctypes.data, lanes)
        for close, lanes in enumerate(counts)
    )
    return apart, alike


@cache
def _lanes() -> int:
    """Return how many rays at a time are cast fastest on this machine."""
    library, device = _embree()
    swift = [n for n, key in _LANES.items() if library.rtcGetDeviceProperty(device, key)]
    return swift[0] if swift else _APART


@cache
def _manner(alike: bool) -> NDArray[np.uint32]:
    """Return the RTCIntersectArguments of rays that are alike, or not: flags, features, NULLs."""
    arguments = np.zeros(16, np.uint32)
    arguments[:2] = _COHERENT if alike else 0, _ALL_FEATURES
    return arguments


@cache
def _address(name: str) -> int:
    library, _ = _embree()
    found = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    assert found is not None
    return found
