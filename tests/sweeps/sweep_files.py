"""A short sweep for tests: ten runs of a tenth of a second."""

from pathlib import Path

SHORT = """
scenario: drive-10s
set: {duration_s: 0.1, expect: []}
parameters:
  robots.0.motion.speed: {type: grid, low: 0.2, high: 1.0, count: 5}
repeats: 2
"""


def written(folder: Path, text: str = SHORT) -> Path:
    """Return the path of a sweep file."""
    path = folder / "short.yaml"
    path.write_text(text)
    return path
