"""Published figures of other simulators, for comparison."""

from dataclasses import dataclass, field
from functools import cache

from outrider.core.files.package_files import LIBRARY
from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import from_data

SIMULATORS = ("ROS-Unity3D", "ROS-Gazebo")
RESOURCES = (  # in the order of the tables, and where a result has them
    ("# CPU threads", "1", "resources.threads", 2),
    ("CPU", "% of one core", "resources.cpu_percent", 2),
    ("Memory", "MB", "resources.memory_mb", 1),
    ("GPU framebuffer memory", "MB", "resources.gpu_memory_mb", 1),
    ("GPU streaming multiprocessor", "%", "resources.gpu_percent", 2),
    ("Real-time factor", "1", "real_time_factor", 2),
)
CELLS = (
    "occupied_as_occupied",
    "occupied_as_clear",
    "occupied_as_unknown",
    "clear_as_clear",
    "clear_as_occupied",
    "clear_as_unknown",
)


@dataclass(frozen=True, slots=True)
class Column:
    """The published figures of one simulator in one scenario; an empty list means unknown."""

    resources: tuple[float, ...] = ()
    rotation_deg: tuple[float, ...] = ()
    position_m: tuple[float, ...] = ()
    mapping: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Published:
    """One scenario of J. Platt's thesis."""

    title: str
    tables: tuple[int, ...] = ()
    start_s: tuple[float, ...] = ()
    columns: dict[str, Column] = field(default_factory=dict)


@cache
def platt() -> dict[str, Published]:
    """Return the published scenarios by the names of ours."""
    path = LIBRARY / "published" / "platt2022.yaml"
    out = {}
    for name, data in read_yaml(path).items():
        columns = {key: data.pop(key) for key in SIMULATORS}
        out[name] = from_data(Published, {**data, "columns": columns}, f"{path.name}: {name}")
    return out
