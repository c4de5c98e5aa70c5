"""What ends an episode badly: a collision, or tipping over."""

from outrider.scenarios.conditions import question
from outrider.scenarios.scenario import Collides, TipsOver
from outrider.sim.simulation import Simulation

_PENALTY = -10.0


class Endings:
    """Asks after every step of physics, so that a run stops where it happens."""

    def __init__(self, simulation: Simulation, tip_deg: float) -> None:
        self.outcome = ""
        self._questions = {
            "collision": question(Collides(), simulation, "learning: collision"),
            "tip": question(TipsOver(angle_deg=tip_deg), simulation, "learning: tip"),
        }
        simulation.conditions.append(self)

    def __call__(self, simulation: Simulation) -> bool | None:
        """Say that a run has failed when one of them has happened."""
        for name, asked in self._questions.items():
            if asked(simulation) is not None:
                self.outcome = name
                return False
        return None

    def clear(self) -> None:
        """Begin another episode."""
        self.outcome = ""

    @property
    def penalty(self) -> float:
        """What a bad end is rewarded with."""
        return _PENALTY if self.outcome else 0.0
