"""Rays that are always cast in the same order, several at a time: tyres' rings.

Embree is fastest with packets of rays that start and point alike, and go through its tree together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import AnyArray
from outrider.core.packed_arrays import aligned
from outrider.scene.embree_kernels import CONSTANT, ROWS, Query

Ints = NDArray[np.int32]
_ARRAYS = ("order", "starts", "masks", "memory")


@dataclass(frozen=True, slots=True, eq=False)
class Packets:
    """Which rays are cast together, and Embree's memory for them: see ``intersect_packets``."""

    query: Query
    order: Ints  # the rays of the first packet, of the second ...
    starts: Ints  # where each packet begins in that order, and where the last ends
    masks: AnyArray  # (packets, lanes): -1 where there is a ray
    memory: AnyArray  # (ROWS, lanes) numbers of one packet

    @classmethod
    def of(cls, query: Query, runs: Sequence[Ints]) -> Self:
        """Cut runs of rays that are alike into packets of nearly the same size."""
        cut = [p for run in runs for p in np.array_split(run, -(-len(run) // query.lanes))]
        memory = aligned((ROWS, query.lanes), np.uint32)
        for row, value in CONSTANT.items():
            memory[row] = value
        masks = aligned((len(cut), query.lanes), np.int32)
        for mask, packet in zip(masks, cut, strict=True):
            mask[: len(packet)] = -1
        starts = np.cumsum([0, *(len(packet) for packet in cut)]).astype(np.int32)
        return cls(query, np.concatenate(cut).astype(np.int32), starts, masks, memory)


def as_fields(packets: Packets | None) -> dict[str, AnyArray | int]:
    """Return packets as fields of a bundle, all zero if there are none."""
    if packets is None:
        none: dict[str, AnyArray | int] = {name: np.zeros(0, np.int32) for name in _ARRAYS}
        return none | dict.fromkeys(Query._fields, 0)
    arrays = {name: getattr(packets, name) for name in _ARRAYS}
    return arrays | packets.query._asdict()
