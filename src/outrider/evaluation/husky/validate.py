"""Validation against real Huskies: every recording replayed, with tables and plots of errors."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from outrider.core.errors import EvaluationError
from outrider.core.files.atomic_file import write_whole
from outrider.core.structure import Data
from outrider.evaluation.husky.figures import AXES, Compared, HuskyDrive, compare
from outrider.evaluation.husky.recordings import find_recordings, material_of, read_recording
from outrider.evaluation.husky.replay import replay_recording
from outrider.evaluation.report.document import Block, Heading, Paragraph, ReportImage, Table
from outrider.evaluation.report.html import html
from outrider.evaluation.report.imu_pictures import draw_imu
from outrider.evaluation.report.markdown import markdown
from outrider.evaluation.report.pyplot import OTHER, OURS, plain_powers, pyplot, save

IMU_LINK = (0.19, 0.0, 0.149)
HEADS = ("recording", "ground", "m/s", *AXES, "az Hz", "track, m", "current, A", "eq 7 ω", "eq 7 a")


@dataclass(frozen=True, slots=True)
class ValidateOptions:
    """What is replayed, and how."""

    ground: str = ""  # a material; empty: by the folder's name
    place: tuple[float, float, float] = IMU_LINK  # of the IMU in base_link
    seeds: int = 1
    seconds: float = 30.0  # of each recording, at most
    only: str = ""  # names that contain this


def validate(
    folder: Path, options: ValidateOptions, tell: Callable[[str], None] = lambda _: None
) -> list[Compared]:
    """Replay the recordings of a folder and compare."""
    found = []
    for path in find_recordings(folder):
        if options.only not in f"{path.parent.name}/{path.stem.removeprefix('imu_')}":
            continue
        recording = read_recording(path)
        material = options.ground or material_of(recording.ground)
        tell(f"{recording.name} on {material}")
        runs = [
            replay_recording(recording, material, options.place, seed, options.seconds)
            for seed in range(1, options.seeds + 1)
        ]
        found.append(compare(recording, material, runs))
    if not found:
        raise EvaluationError(f"{folder}: no recording's name contains '{options.only}'")
    return found


def rows(found: list[Compared]) -> list[tuple[str, ...]]:
    """Return a row per recording: vibration ratios, and pairs simulated / real."""
    return [
        (
            item.name,
            item.material,
            f"{item.speed:.2f}",
            *(f"{ratio:.2f}" for ratio in item.ratios),
            f"{item.simulated.centroid_hz:.1f} / {item.real.centroid_hz:.1f}",
            f"{_metres(item.simulated.track_m)} / {_metres(item.real.track_m)}",
            f"{item.simulated.current_a:.1f} / {item.real.current_a:.1f}",
            f"{item.angular_error:.2f}",
            f"{item.linear_error:.1f}",
        )
        for item in found
    ]


def as_json_data(found: list[Compared]) -> Data:
    """Return all figures as plain data."""
    return {"recordings": [_json(item) for item in found], "summary": closeness(found)}


def closeness(found: list[Compared]) -> dict[str, float | None]:
    """Return how many values are close, by the criteria of the field's own comparison."""
    ratios = np.array([item.ratios for item in found])
    three = ratios[:, [0, 1, 5]]
    tracks = [
        abs(item.simulated.track_m / item.real.track_m - 1)
        for item in found
        if item.simulated.track_m and item.real.track_m
    ]
    current = [abs(i.simulated.current_a / max(i.real.current_a, 1e-9) - 1) for i in found]
    return {
        "recordings": len(found),
        "shaking_wx_wy_az_within_20_percent": float((np.abs(three - 1) <= 0.2).mean()),
        "shaking_wz_within_50_percent": float((np.abs(ratios[:, 2] - 1) <= 0.5).mean()),
        "track_within_5_percent": float(np.mean([t <= 0.05 for t in tracks])) if tracks else None,
        "current_within_30_percent": float(np.mean([c <= 0.3 for c in current])),
    }


def write_validation(out: Path, found: list[Compared], options: ValidateOptions) -> list[Path]:
    """Write a page, Markdown and plots into a folder."""
    x, y, z = options.place
    blocks: list[Block] = [
        Heading("The simulated Husky next to real ones", 1),
        Paragraph(
            "Wheel speeds of recordings as commands; recorded next to simulated."
            f" The IMU is taken to be at ({x:g}, {y:g}, {z:g}) m in base_link. Ratios are standard"
            " deviations above 0.5 Hz, simulated over real; pairs are simulated / real."
        ),
        Table(HEADS, tuple(rows(found)), text_columns=frozenset({0, 1})),
        Heading("In short"),
        Table(
            ("", "number or share"),
            tuple(
                (key.replace("_", " "), "–" if value is None else f"{value:.3g}")
                for key, value in closeness(found).items()
            ),
        ),
    ]
    for item in found:
        blocks += _pictures(out, item)
    page, text = out / "validation.html", out / "validation.md"
    write_whole(page, html(blocks, "Husky validation – Outrider").encode())
    write_whole(text, markdown(blocks, out).encode())
    return [page, text]


def _pictures(out: Path, item: Compared) -> list[Block]:
    stem = item.name.replace("/", "-").lower()
    bars = [
        ("simulated", item.simulated.angular, item.simulated.linear),
        ("real", item.real.angular, item.real.linear),
    ]
    imu = draw_imu(out / "figures" / f"{stem}-imu.svg", bars)
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(8, 2.6), constrained_layout=True)
    for name, drive, colour in (("simulated", item.simulated, OURS), ("real", item.real, OTHER)):
        axes.semilogy(*drive.spectrum, color=colour, lw=1.2, label=name)
    plain_powers(axes.yaxis)
    axes.set(xlabel="frequency, Hz", ylabel="az, (m/s²)²/Hz")
    axes.legend(loc="best")
    spectrum = save(figure, out / "figures" / f"{stem}-spectrum.svg")
    return [
        Heading(f"{item.name}, {item.speed:.2f} m/s", 3),
        ReportImage(imu, "Range and mean of IMU data."),
        ReportImage(spectrum, "Power density of the vertical acceleration."),
    ]


def _metres(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _json(item: Compared) -> Data:
    def side(drive: HuskyDrive) -> Data:
        return {
            "angular_velocity": {
                "mean": drive.angular.mean.tolist(),
                "range": drive.angular.range.tolist(),
            },
            "acceleration": {
                "mean": drive.linear.mean.tolist(),
                "range": drive.linear.range.tolist(),
            },
            "shaking": drive.shaking.tolist(),
            "centroid_hz": drive.centroid_hz,
            "track_m": drive.track_m,
            "current_a": drive.current_a,
        }

    return {
        "name": item.name,
        "ground": item.material,
        "seconds": item.seconds,
        "speed": item.speed,
        "real": side(item.real),
        "simulated": side(item.simulated),
        "ratios": item.ratios.tolist(),
        "angular_error": item.angular_error,
        "linear_error": item.linear_error,
    }
