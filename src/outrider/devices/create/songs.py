"""Songs: stored, and played in simulated time; notes go to a log."""

from dataclasses import dataclass, field

_SIXTY_FOURTH_NS = 1_000_000_000 // 64
_LONGEST = 16  # notes


@dataclass(slots=True)
class Songs:
    """Sixteen songs of up to sixteen notes."""

    stored: dict[int, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    number: int = 0
    _until_ns: int = 0

    def store(self, data: bytes) -> None:
        """Store a song: number, length, then note and duration in turn."""
        pairs = zip(data[2::2], data[3::2], strict=True)
        self.stored[data[0] & 15] = tuple(pairs)[:_LONGEST]

    def play(self, number: int, now_ns: int) -> bool:
        """Play a stored song unless one is playing; return whether it starts."""
        song = self.stored.get(number)
        if not song or self.playing(now_ns):
            return False
        self.number = number
        length = sum(duration for _, duration in song)
        self._until_ns = now_ns + length * _SIXTY_FOURTH_NS
        return length > 0

    def playing(self, now_ns: int) -> bool:
        """Return whether a song is playing."""
        return now_ns < self._until_ns

    def stop(self) -> None:
        """Stop the song."""
        self._until_ns = 0
