"""Limits on figures: of each robot, and of the run as a whole once everything is measured."""

from collections.abc import Mapping

from outrider.core.errors import ConfigError, near_match
from outrider.core.structure import Data
from outrider.scenarios.conditions import robots_of
from outrider.scenarios.run_metrics import FIGURES, RunMetrics
from outrider.scenarios.scenario import Expect, Scenario
from outrider.sim.simulation import Simulation

_ERRORS = ("max", "mean", "median")
RUN_FIGURES = (  # dotted, as in a result
    "sim_time_s",
    "wall_time_s",
    "real_time_factor",
    "start_time_s",
    "cpu_percent",
    "memory_mb",
    "threads",
    "ignored_commands",
    "dropped_time_s",
    "waypoints.reached",
    *(f"localization.position_m.{name}" for name in _ERRORS),
    *(f"localization.rotation_deg.{name}" for name in _ERRORS),
    "localization.ate_m",
    "localization.rpe_m_per_m",
    "localization.rpe_deg_per_m",
    "localization.checkpoint_sum_mm2",
    *(
        f"mapping.{true}_as_{taken}"
        for true in ("occupied", "clear")
        for taken in ("occupied", "clear", "unknown")
    ),
    "resources.cpu_percent",
    "resources.memory_mb",
    "resources.threads",
)
NAMED_BY_SENSORS = ("sensors.", "imu.")  # sections whose further keys are the robots' and sensors'


def check_expectations(scenario: Scenario, simulation: Simulation) -> None:
    """Refuse figures and robots that are not there."""
    for number, expect in enumerate(scenario.expect):
        where = f"{scenario.name}: expect.{number}"
        robots_of(expect.robot, simulation, f"{where}.robot")
        _check_figure(expect, where)
        if expect.least > expect.most:
            raise ConfigError(
                f"{where}: least {expect.least:g} is above most {expect.most:g}: no value fits"
            )


def _check_figure(expect: Expect, where: str) -> None:
    figure = expect.figure
    if figure in FIGURES:
        return
    if figure not in RUN_FIGURES and not figure.startswith(NAMED_BY_SENSORS):
        known = (*FIGURES, *RUN_FIGURES)
        hint = near_match(figure, known)
        raise ConfigError(
            f"{where}.figure: there is no figure '{figure}'{hint}; known: {', '.join(known)}, and"
            " those of sensors. and imu. in a result"
        )
    if expect.robot:
        raise ConfigError(f"{where}.robot: '{figure}' is a figure of the run, not of a robot")


def verdicts(scenario: Scenario, metrics: RunMetrics) -> list[Data]:
    """Return each expectation of a robot's figure for each robot it is about."""
    return [
        _verdict(expect, robot, metrics.figures(robot)[expect.figure])
        for expect in scenario.expect
        if expect.figure in FIGURES
        for robot in robots_of(expect.robot, metrics.simulation, "expect")
    ]


def with_run_verdicts(scenario: Scenario, result: Data) -> Data:
    """Return a result that is also judged by the figures of the run; missing ones are not met."""
    judged = [
        _verdict(expect, "", figure_of(result, expect.figure))
        for expect in scenario.expect
        if expect.figure not in FIGURES
    ]
    return result | {
        "expectations": [*result["expectations"], *judged],
        "completed": result["completed"] and all(item["met"] for item in judged),
    }


def figure_of(result: Data, dotted: str) -> float | None:
    """Return a number of a result by its path, or None if it was not measured."""
    value: object = result
    rest = dotted
    while rest:
        if isinstance(value, list):
            value = dict(zip("xyz", value, strict=False))
        if not isinstance(value, Mapping):
            return None
        # keys may hold dots themselves: the longest that fits
        key = max((k for k in value if f"{rest}.".startswith(f"{k}.")), key=len, default=None)
        if key is None:
            return None
        value, rest = value[key], rest[len(key) + 1 :]
    return float(value) if isinstance(value, int | float) else None


def _verdict(expect: Expect, robot: str, value: float | None) -> Data:
    bounds = {"least": expect.least, "most": expect.most}
    return {
        "figure": expect.figure,
        "robot": robot,
        "value": value,
        **{name: bound for name, bound in bounds.items() if abs(bound) < 1e300},
        "met": value is not None and expect.least <= value <= expect.most,
    }
