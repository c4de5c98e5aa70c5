"""Results next to published ones: tables as in chapter 6 of the thesis, and bar charts."""

from pathlib import Path

from outrider.evaluation.report.document import Block, Heading, Paragraph, ReportImage
from outrider.evaluation.report.published import SIMULATORS, Published
from outrider.evaluation.report.resource_pictures import draw_beside
from outrider.evaluation.report.thesis_tables import (
    figure_rows,
    localization_table,
    mapping_table,
    resource_table,
)
from outrider.scenarios.result import Result


def beside_published(
    results: list[Result], published: Published | None, folder: Path
) -> list[Block]:
    """Return the tables, and bar charts next to those with the same scenario."""
    blocks: list[Block] = [Heading("Results")]
    if published is not None:
        blocks.append(
            Paragraph(
                f"{published.title}. The columns ROS-Unity3D and ROS-Gazebo are means of five runs"
                " in J. Platt's thesis (2022), on an i9-9960X with two Titan RTX. There the process"
                " of the simulator alone was measured; here simulation and autonomy share one."
            )
        )
    blocks.append(resource_table(results, published))
    if any(r.get("localization") for r in results):
        blocks.append(localization_table(results, published))
    if any(r.get("mapping") for r in results):
        blocks.append(mapping_table(results, published))
    if published is not None:
        path = draw_beside(folder / "figures" / "beside.svg", _groups(results, published))
        blocks.append(
            ReportImage(
                path,
                "Ours (blue) next to the published figures; lower is better,"
                " except for the real-time factor.",
            )
        )
    return blocks


def _groups(
    results: list[Result], published: Published
) -> list[tuple[str, list[tuple[str, float]]]]:
    wanted = (
        ("position error, mean, m", "localization.position_m.mean", "position_m", 1),
        ("rotation error, mean, deg", "localization.rotation_deg.mean", "rotation_deg", 1),
        ("real-time factor", "real_time_factor", "resources", 5),
        ("memory, MB", "resources.memory_mb", "resources", 2),
    )
    groups = []
    for title, key, part, number in wanted:
        row = figure_rows(results, key)
        if row is not None:
            theirs = [(n, _of(published, n, part)[number]) for n in SIMULATORS]
            groups.append((title, [("Outrider", row.mean), *theirs]))
    return groups


def _of(published: Published, name: str, part: str) -> tuple[float, ...]:
    column = published.columns[name]
    return {"position_m": column.position_m, "rotation_deg": column.rotation_deg}.get(
        part, column.resources
    )
