"""A choice between two ways to the same result, by the time that each took lately."""

import math

_TURNS = 64  # after so many both are tried again: other programs come and go
_TRIES = 3
_NEWS = 0.2  # how much the last time counts
_MOST = 3.0  # times longer than before, at most


class FasterChoice:
    """Takes the quicker way mostly. Only how long a run takes may depend on it."""

    def __init__(self) -> None:
        self._turn = -1
        self._took_s = {True: 0.0, False: 0.0}

    def choose(self) -> bool:
        """Return which way to take this time."""
        self._turn += 1
        turn = self._turn % _TURNS
        for way, first in ((True, 0), (False, _TRIES)):
            if first <= turn < first + _TRIES:
                if turn == first:
                    self._took_s[way] = math.inf
                return way
        return self._took_s[True] < self._took_s[False]

    def note(self, way: bool, took_s: float) -> None:
        """Tell how long a way took: of its tries the best counts, later times by and by."""
        before_s = self._took_s[way]
        if self._turn % _TURNS < 2 * _TRIES or math.isinf(before_s):
            self._took_s[way] = min(before_s, took_s)
        else:  # once something may have come between
            self._took_s[way] += _NEWS * (min(took_s, _MOST * before_s) - before_s)
