"""A 16-bit counter as iRobot's Create has it."""

import math

_LOWEST, _HIGHEST = -32768, 32767


class Counter16:
    """Counts whole units since it was last read, and saturates at its limits."""

    def __init__(self) -> None:
        self.sum = 0.0

    def add(self, amount: float) -> None:
        """Count on."""
        self.sum = max(_LOWEST, min(_HIGHEST, self.sum + amount))

    def read(self) -> int:
        """Return the whole units since the last reading; the rest of a unit is kept."""
        whole = math.trunc(self.sum)
        self.sum -= whole
        return whole
