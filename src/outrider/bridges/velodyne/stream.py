"""The unbroken row of data packets: what does not fill one waits for the next revolution."""

import numpy as np
from numpy.typing import NDArray

from outrider.bridges.velodyne.firings import Firings
from outrider.bridges.velodyne.packets import LASERS, SEQUENCE_NS, data_packets

_BLOCKS = 12  # of a packet; each has two sequences
_GAP_NS = 2 * SEQUENCE_NS  # between revolutions that still follow one another


class PacketStream:
    """Single returns: 24 sequences in a packet. Dual: 12, each block twice (last, strongest)."""

    def __init__(self, mode: str) -> None:
        self._mode = mode
        self._sequences = _BLOCKS if mode == "dual" else 2 * _BLOCKS
        self._rest: list[NDArray[np.int64]] = []

    def add(self, strongest: Firings, last: Firings | None = None) -> list[tuple[int, bytes]]:
        """Return the packets that a revolution completes, with the time of their first firing."""
        times = strongest.start_ns + SEQUENCE_NS * np.arange(len(strongest.distance))
        rows = self._with_rest(times, strongest, last or strongest)
        whole = len(rows) // self._sequences * self._sequences
        self._rest = [rows[whole:]]
        return self._packets(rows[:whole])

    def _with_rest(
        self, times: NDArray[np.int64], strongest: Firings, last: Firings
    ) -> NDArray[np.int64]:
        """Return one row per sequence: time, angle, then both returns of all lasers."""
        azimuth = np.rint(strongest.azimuth_deg * 100).astype(np.int64) % 36_000
        new = np.column_stack(
            [
                times,
                azimuth,
                strongest.distance,
                strongest.reflectivity,
                last.distance,
                last.reflectivity,
            ]
        ).astype(np.int64)
        rest = self._rest[0] if self._rest else new[:0]
        if len(rest) and not 0 < new[0, 0] - rest[-1, 0] <= _GAP_NS:
            rest = rest[:0]  # time has jumped, or a revolution is missing
        return np.concatenate([rest, new])

    def _packets(self, rows: NDArray[np.int64]) -> list[tuple[int, bytes]]:
        count = len(rows) // self._sequences
        times = rows[:: self._sequences, 0]
        pairs = rows.reshape(count, -1, 2, rows.shape[1])  # (packets, blocks, 2, ...)
        azimuth = pairs[:, :, 0, 1]
        values = pairs[..., 2:].reshape(*pairs.shape[:3], 4, LASERS)
        if self._mode == "dual":
            azimuth = np.repeat(azimuth, 2, axis=1)
            both = np.stack([values[..., 2:, :], values[..., :2, :]], axis=2)  # last comes first
            values = both.reshape(count, _BLOCKS, 2, 2, LASERS)
        made = data_packets(
            values[..., 0, :].astype(np.uint16),
            values[..., 1, :].astype(np.uint8),
            azimuth.astype(np.uint16),
            times,
            self._mode,
        )
        return [(int(time_ns), one.tobytes()) for time_ns, one in zip(times, made, strict=True)]
