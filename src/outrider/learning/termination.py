"""What ends an episode badly: a collision, tipping over, or leaving the area."""

from functools import partial

from outrider.evaluation.measures.truth_grid import Region
from outrider.scenarios.conditions import Question, question
from outrider.scenarios.scenario import Collides, TipsOver
from outrider.sim.simulation import Simulation

_PENALTY = -10.0


class Termination:
    """Asks after every step of physics, so that a run stops where it happens."""

    def __init__(self, simulation: Simulation, tip_deg: float, region: Region) -> None:
        self.outcome = ""
        self._questions: dict[str, Question] = {
            "collision": question(Collides(), simulation, "learning: collision"),
            "tip": question(TipsOver(angle_deg=tip_deg), simulation, "learning: tip"),
            "left": partial(_left, region),
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


def _left(region: Region, simulation: Simulation) -> bool | None:
    x0, y0, x1, y1 = region
    x, y, _ = simulation.state.bodies["position"][simulation.rig.vehicles[0].root].tolist()
    return None if x0 <= x <= x1 and y0 <= y <= y1 else False
