"""Long lists of numbers in text, read all at once."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.frames import Array


def floats(text: str | bytes) -> Array:
    """Return the numbers of a text with blanks between; ValueError if one is not a number."""
    if not text.strip():
        return np.zeros(0)  # numpy reads a text of blanks as one number
    values: Array = np.fromstring(text, np.float64, sep=" ")
    return values


def integers(text: str | bytes) -> NDArray[np.int64]:
    """Return the whole numbers of a text with blanks between; ValueError if one is not whole."""
    if not text.strip():
        return np.zeros(0, np.int64)
    values: NDArray[np.int64] = np.fromstring(text, np.int64, sep=" ")
    return values
