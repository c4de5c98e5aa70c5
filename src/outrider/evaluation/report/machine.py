"""Resource use, sensor rates and IMU statistics of the runs."""

from pathlib import Path

import numpy as np

from outrider.evaluation.measures.imu import axis_figures
from outrider.evaluation.report.document import Block, Heading, ReportImage, Table
from outrider.evaluation.report.imu_pictures import draw_imu
from outrider.evaluation.report.resource_pictures import draw_resources
from outrider.evaluation.runs.folder import SavedRun
from outrider.evaluation.score.farley import MEASURED, farley
from outrider.scenarios.result import Result

_MOST_IMUS = 4


def use_of_machine(folder: Path, runs: list[SavedRun]) -> list[Block]:
    """Return plots of resources, rates of sensors, and bars of IMU data."""
    used = [(f"seed {run.result['seed']}", run.resources()) for run in runs]
    path = draw_resources(folder / "figures" / "resources.svg", [u for u in used if u[1]])
    return [
        Heading("Resources"),
        ReportImage(path, "Simulator and autonomy in one process, sampled once a second."),
        _sensor_table([run.result for run in runs]),
        *_imu(folder, runs[0]),
    ]


def _imu(folder: Path, run: SavedRun) -> list[Block]:
    bars = [
        (name, axis_figures(rows[:, 1:4]), axis_figures(rows[:, 4:7]))
        for name, rows in run.imu().items()
        if len(rows)
    ]
    if not bars:
        return []
    if run.result["scenario"] == MEASURED:
        real = farley().gravel_straight
        bars = [
            bars[-1],
            ("real Husky, centred on its mean", real["angular"].real(), real["linear"].real()),
        ]
    path = draw_imu(folder / "figures" / "imu.svg", bars[:_MOST_IMUS])
    shown = f"; the first {_MOST_IMUS} of {len(bars)} IMUs" if len(bars) > _MOST_IMUS else ""
    caption = (
        "IMU data from the mean of the lowest to that of the highest percent of the samples, the"
        f" range above, the mean in white; seed {run.result['seed']}{shown}."
    )
    return [Heading("IMU"), ReportImage(path, caption)]


def _sensor_table(results: list[Result]) -> Table:
    names = list(dict.fromkeys(name for r in results for name in r.get("sensors", {})))
    rows = []
    for name in names:
        own = [r for r in results if name in r.get("sensors", {})]
        rates = np.array([r["sensors"][name]["rate_hz"] for r in own])
        wall = rates * np.array([r["real_time_factor"] for r in own])
        asked = own[0]["sensors"][name]["asked_hz"]
        rows.append((name, f"{asked:g}", f"{rates.mean():.2f}", f"{wall.mean():.1f}"))
    return Table(
        ("sensor", "asked for, Hz", "per simulated second", "per second of wall time"),
        tuple(rows),
        "Sensor rates",
    )
