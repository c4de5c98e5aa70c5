"""Tyres that hit obstacles: steep contacts, reported like the engine's own."""

import numpy as np
from numpy.typing import NDArray

from outrider.core.compiled import compiled
from outrider.physics.engine import Contact
from outrider.physics.tyres.data import Records
from outrider.physics.tyres.kernels import bumps
from outrider.physics.tyres.tyres import Tyres
from outrider.world.assembly import Assembly


@compiled
def _find(tyres: Records, found: NDArray[np.int64]) -> int:  # pragma: no cover - compiled
    """Write down the tyres that are pressed against something steep; return how many."""
    count = 0
    for i in range(tyres.shape[0]):
        if bumps(tyres[i]):
            found[count] = i
            count += 1
    return count


class Bumps:
    """Looks over all tyres after a step."""

    def __init__(self, tyres: Tyres, assembly: Assembly, step_s: float) -> None:
        self._tyres = tyres
        self._assembly = assembly
        self._step_s = step_s
        self._found = np.zeros(max(1, len(tyres.rows)), np.int64)

    def contacts(self) -> list[Contact]:
        """Return the tyres that touch something steep now: from the tyre to the other thing."""
        count = _find(self._tyres.rows, self._found)
        return [self._contact(int(i)) for i in self._found[:count]] if count else []

    def _contact(self, index: int) -> Contact:
        row = self._tyres.rows[index]
        own, other = int(row["body"]), int(row["mover"])
        name = self._tyres.shape_names[int(row["ground"])]
        if other >= 0:
            name = f"{self._assembly.body_name(other)}/{name}".rstrip("/")
        return Contact(
            own,
            other,
            row["point"].copy(),
            -row["normal"],
            float(row["load"]) * self._step_s,
            self._assembly.body_name(own),
            name,
        )
