"""The rays of a part of a revolution from pose to surface, in one compiled call."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array
from outrider.scene.embree_kernels import Query, intersect
from outrider.scene.past_poses import Records, Times
from outrider.scene.ray_kernels import shade
from outrider.scene.relief import raise_ends
from outrider.scene.surface import Floats32
from outrider.sensors.lidar.kernels import aim

Ints = NDArray[np.int32]


class LidarRays(NamedTuple):
    """The rays of a LiDAR in the frame of its body, in the order in which they are cast."""

    rays: Floats32  # (3, n)
    offsets_ns: Times  # when each is fired, after the start of a revolution
    lever: Array
    housing: float
    reach: float


class RayBuffers(NamedTuple):
    """What is known of every ray, and where Embree and the relief write."""

    scratch: Floats32
    origins: Floats32
    directions: Floats32
    when: Times
    distance: Floats32
    shapes: Ints
    faces: Ints
    corners: Floats32
    normals: Floats32
    cosine: Floats32
    echo: Floats32
    parts: Ints


class Surfaces(NamedTuple):
    """What the rays end on."""

    query: Query
    reflectivity: Floats32
    with_relief: bool
    height: Floats32
    most: Floats32
    steepest: Floats32
    tile: Ints
    tiles: Floats32


@compiled_nogil
def cast(
    runs: NDArray[np.int64],
    past: tuple[Records, Times, int, int],
    start_ns: int,
    rays: LidarRays,
    out: RayBuffers,
    surfaces: Surfaces,
    done: NDArray[np.bool_],
) -> None:  # pragma: no cover - compiled
    """Aim and cast the rays of some runs (n, 2), and find the relief; say when it is done."""
    bodies, times, first, count = past
    for k in range(runs.shape[0]):
        a, b = runs[k, 0], runs[k, 1]
        aim(
            bodies,
            times,
            first,
            count,
            body=0,
            lever=rays.lever,
            rays=rays.rays,
            housing=rays.housing,
            start_ns=start_ns,
            offsets=rays.offsets_ns,
            scratch=out.scratch,
            origins=out.origins,
            directions=out.directions,
            when=out.when,
            begin_ray=a,
            end_ray=b,
        )
        out.distance[a:b] = np.float32(rays.reach)
        starts, along = out.origins[a:b], out.directions[a:b]
        far, shapes, cosine = out.distance[a:b], out.shapes[a:b], out.cosine[a:b]
        intersect(
            surfaces.query,
            starts,
            along,
            far=far,
            shape=shapes,
            face=out.faces[a:b],
            u=out.corners[0, a:b],
            v=out.corners[1, a:b],
            normal=out.normals[a:b],
        )
        shade(along, out.normals[a:b], shapes, surfaces.reflectivity, cosine, out.echo[a:b])
        if surfaces.with_relief:
            raise_ends(
                starts,
                along,
                shapes=shapes,
                parts=out.parts[a:b],
                cosine=cosine,
                height=surfaces.height,
                most=surfaces.most,
                steepest=surfaces.steepest,
                tile=surfaces.tile,
                tiles=surfaces.tiles,
                distance=far,
            )
    done[0] = True
