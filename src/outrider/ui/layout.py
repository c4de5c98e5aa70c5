"""What a page shows of a project: panels, camera, views, plots. It is saved as ``editor.yaml``."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from outrider.core.files.atomic_file import write_whole
from outrider.core.files.yaml_file import read_yaml, yaml_text
from outrider.core.structure import from_data, plain
from outrider.ui.views.drawn import ColourBy, Style

CameraMode: TypeAlias = Literal["follow", "orbit", "chase", "first", "top", "fly"]
Tab: TypeAlias = Literal["Console", "Topics", "Plots", "Views", "Code"]

LAYOUT_FILE = "editor.yaml"
PANELS = {"tree": 250.0, "console": 230.0, "inspector": 330.0}  # pixels
SCENE = (400.0, 200.0)  # pixels across and down that panels leave to the scene
_HEADER = 46.0


@dataclass(frozen=True, slots=True)
class CameraView:
    """Where the scene is seen from."""

    mode: CameraMode = "follow"
    position: tuple[float, float, float] | None = None
    target: tuple[float, float, float] | None = None  # what is looked at
    height: float = 12.0  # from above: half of what is seen, in metres


@dataclass(frozen=True, slots=True)
class TopicView:
    """How a topic is seen."""

    topic: str
    drawn: bool = False  # in the scene
    card: bool = False
    style: Style = "points"
    colour: ColourBy = "range"


@dataclass(frozen=True, slots=True)
class Plot:
    """A number of a topic as a curve."""

    topic: str
    path: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The state of a page that is not part of the scenario."""

    robot: str = ""  # that is driven
    selected: str = ""  # key in the hierarchy
    tab: Tab = "Console"
    panels: dict[str, float] = field(default_factory=lambda: dict(PANELS))  # 0: hidden
    camera: CameraView = field(default_factory=CameraView)
    shown: dict[str, bool] = field(
        default_factory=dict
    )  # shadows, wireframe, showGrid, trail, snap
    speed_limit: float = 1.0  # share of the greatest speed
    views: tuple[TopicView, ...] = ()
    plots: tuple[Plot, ...] = ()


def fitted(
    panels: Mapping[str, float], window: tuple[float, float], asked: str = ""
) -> dict[str, float]:
    """Return the sizes of panels; in a small window, those that leave the scene no room are hidden.

    ``asked`` is the panel that the user has just opened: it stays, whatever it covers.
    """
    found, room = dict(panels), window[0] - SCENE[0]
    for name in sorted(
        found.keys() & {"tree", "inspector"}, key=lambda n: (n != asked, n != "tree")
    ):
        if name != asked and found.get(name, 0.0) > room:
            found[name] = 0.0
        room -= found.get(name, 0.0)
    below = found.get("console", 0.0)
    if asked != "console" and below > window[1] - _HEADER - SCENE[1]:
        found["console"] = 0.0
    return found


def read_layout(root: Path) -> Layout:
    """Return the layout of a project; the default one if none was saved."""
    file = root / LAYOUT_FILE
    return from_data(Layout, read_yaml(file), str(file)) if file.is_file() else Layout()


def write_layout(layout: Layout, root: Path) -> None:
    """Save a layout with its project."""
    write_whole(root / LAYOUT_FILE, yaml_text(plain(layout)).encode())
