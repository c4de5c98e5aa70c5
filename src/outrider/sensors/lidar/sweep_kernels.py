"""The rays of a part of a revolution from pose to surface, in one compiled call."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled_nogil
from outrider.core.frames import Array
from outrider.scene.embree_kernels import Query, intersect
from outrider.scene.look_kernels import shade
from outrider.scene.past import Records, Times
from outrider.scene.relief import raise_ends
from outrider.scene.surface import Floats32
from outrider.sensors.lidar.kernels import aim

Ints = NDArray[np.int32]


@compiled_nogil
def cast(
    runs: NDArray[np.int64],
    bodies: Records,
    times: Times,
    first: int,
    count: int,
    lever: Array,
    rays: Floats32,
    housing: float,
    reach: float,
    start_ns: int,
    offsets: Times,
    scratch: Floats32,
    origins: Floats32,
    directions: Floats32,
    when: Times,
    query: Query,
    distance: Floats32,
    shapes: Ints,
    faces: Ints,
    corners: Floats32,
    normals: Floats32,
    reflectivity: Floats32,
    cosine: Floats32,
    echo: Floats32,
    parts: Ints,
    with_relief: bool,
    height: Floats32,
    most: Floats32,
    steepest: Floats32,
    tile: Ints,
    tiles: Floats32,
    done: NDArray[np.bool_],
) -> None:  # pragma: no cover - compiled
    """Aim and cast the rays of some runs (n, 2), and find the relief; say when it is done."""
    for k in range(runs.shape[0]):
        a, b = runs[k, 0], runs[k, 1]
        aim(
            bodies, times, first, count, 0, lever, rays, housing, start_ns, offsets, scratch,
            origins, directions, when, a, b,
        )  # fmt: skip
        distance[a:b] = np.float32(reach)
        starts, along, found = origins[a:b], directions[a:b], shapes[a:b]
        far, squarely = distance[a:b], cosine[a:b]
        u, v = corners[0, a:b], corners[1, a:b]
        intersect(query, starts, along, far, found, faces[a:b], u, v, normals[a:b])
        shade(along, normals[a:b], found, reflectivity, squarely, echo[a:b])
        if with_relief:
            raise_ends(
                starts, along, found, parts[a:b], squarely, height, most, steepest, tile, tiles, far
            )
    done[0] = True
