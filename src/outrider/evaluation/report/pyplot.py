"""matplotlib without windows, in one style; if missing, the error names the extra."""

from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from outrider.core.errors import EvaluationError

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

OURS, TRUE, OTHER, THIRD = "#0f5bb5", "#2e9e5b", "#d1495b", "#e3a13b"
_LOOK = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#8793a0",
    "axes.labelcolor": "#33404d",
    "xtick.color": "#5c6875",
    "ytick.color": "#5c6875",
    "axes.grid": True,
    "grid.color": "#e5e9ee",
    "legend.frameon": False,
    "axes.axisbelow": True,
    "svg.hashsalt": "outrider",
    "text.parse_math": False,  # names of others are no formulas
}


def pyplot() -> ModuleType:
    """Return matplotlib's pyplot, or say how to install it."""
    try:
        import_module("matplotlib").use("Agg")
        plt = import_module("matplotlib.pyplot")
    except ImportError:
        raise EvaluationError("plots need matplotlib: pip install 'outrider[report]'") from None
    plt.rcParams.update(_LOOK)
    return plt


def plain_powers(axis: "Axis") -> None:
    """Let a logarithmic axis write its numbers without formulas, which are not read."""
    formatter = import_module("matplotlib.ticker").LogFormatter
    axis.set_major_formatter(formatter())
    axis.set_minor_formatter(formatter())


def save(figure: "Figure", path: Path) -> Path:
    """Write a figure, close it and return where it is."""
    path.parent.mkdir(parents=True, exist_ok=True)
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, dpi=150, metadata=metadata)
    pyplot().close(figure)
    return path
