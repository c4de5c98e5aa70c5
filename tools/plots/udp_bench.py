"""Draws docs/images/udp_bench.png, and writes the table of docs/udp-bridge.md, by a benchmark.

Usage: outrider bench udp --json > RESULT.json; python tools/plots/udp_bench.py RESULT.json
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt

DOCS = Path(__file__).parents[2] / "docs"
OUT = DOCS / "images" / "udp_bench.png"
_TABLE = re.compile(r"(<!-- table -->\n).*?(?=<!-- end -->)", re.DOTALL)
_NAME = re.compile(r"udp: (\d+) (kB|MB) in messages of (\d+) (kB|MB)$")
_UNIT = {"kB": 1e3, "MB": 1e6}


def main() -> None:
    """Draw times over totals: small messages left, large ones right."""
    found = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["benchmarks"]
    rows = [(match, one) for one in found if (match := _NAME.match(one["name"]))]
    figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), sharey=True)
    for axis, small in zip(axes, (True, False), strict=True):
        lines: dict[str, list[tuple[float, float]]] = {}
        for match, one in rows:
            total = float(match[1]) * _UNIT[match[2]]
            size = float(match[3]) * _UNIT[match[4]]
            if (size == 1000) != small and total > 1000:
                continue
            for name, value in {"UDP Bridge": one["value"], **one["peers"]}.items():
                lines.setdefault(name, []).append((total, value))
        for name, points in lines.items():
            axis.loglog(*zip(*points, strict=True), "o-", label=name)
        axis.set(xlabel="bytes in all", title=f"messages of {'1 kB' if small else '10 MB or less'}")
        axis.grid(alpha=0.3, which="both")
    axes[0].set_ylabel("time, ms")
    axes[0].legend()
    figure.tight_layout()
    figure.savefig(OUT, dpi=100)
    _write_table([one for _, one in rows], [one for one in found if "for a message" in one["name"]])


def _write_table(rows: list[dict[str, Any]], costs: list[dict[str, Any]]) -> None:
    lines = [
        "| | UDP Bridge | rosbridge JSON | bare copy | times faster than JSON |",
        "|---|---|---|---|---|",
    ]
    for one in (*rows, *costs):
        text, bare = one["peers"].values()
        values = " | ".join(f"{value:.3g} ms" for value in (one["value"], text, bare))
        lines.append(
            f"| {one['name'].removeprefix('udp: ')} | {values} | {text / one['value']:.1f} |"
        )
    page = DOCS / "udp-bridge.md"
    table = "\n".join(lines) + "\n"
    page.write_text(_TABLE.sub(lambda m: m[1] + table, page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
