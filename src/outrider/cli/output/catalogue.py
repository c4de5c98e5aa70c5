"""What is included in the program, as rows of a table."""

from collections.abc import Callable
from dataclasses import fields
from importlib.util import find_spec

from outrider.cli.output.model_facts import model_facts
from outrider.core.files.package_files import LIBRARY
from outrider.core.files.yaml_file import read_yaml
from outrider.core.registry import Registry
from outrider.core.structure import Data, from_data
from outrider.loader.library import library_names, library_path, load_world_spec
from outrider.loader.materials import library_materials
from outrider.messages.services.listing import listed
from outrider.scenarios.load import load
from outrider.specs.sensor import SensorFile
from outrider.specs.world import WorldSpec
from outrider.vehicles.robot import load_robot

Row = Data

_ENGINES = {
    "mujoco": ("mujoco", "rigid bodies with joints and contacts; the default"),
    "bullet": ("pybullet", "rigid bodies on exact triangle meshes; pip install outrider[bullet]"),
    "kinematic": ("numpy", "vehicles on exact arcs, without forces"),
}

_BRIDGES = {
    "ros1": ("rosbags", "a ROS 1 node at any master or at one of its own; no ROS needed"),
    "rosbridge": ("websockets", "a rosbridge server for web pages and any language; no ROS needed"),
    "ros-tcp": ("numpy", "a ROS-TCP-Endpoint, in Unity's place"),
    "udp": ("rosbags", "the UDP Bridge of Sobczak et al., for ROS nodes and any program"),
    "foxglove": ("foxglove", "a server for Foxglove; pip install outrider[foxglove]"),
    "serial": ("numpy", "ports of a Create, a SICK LMS 200 and GNSS receivers"),
    "velodyne": ("numpy", "a VLP-16's packets, for drivers of the real sensor"),
    "ros2": ("rclpy", "a ROS 2 node; of your ROS 2, or pip install outrider[ros2]"),
}


def robots() -> list[Row]:
    """Return the robots with their masses and sizes."""
    rows = []
    for name in library_names("robots"):
        robot = load_robot(name)
        facts = model_facts(robot.model)
        rows.append(
            {
                "name": name,
                "drive": robot.spec.drivetrain.type,
                "mass_kg": facts["mass_kg"],
                "size_m": facts["size_m"],
                "triangles": facts["triangles"],
                "description": robot.spec.description,
            }
        )
    return rows


def worlds() -> list[Row]:
    """Return the worlds with their ground."""
    rows = []
    for name in library_names("worlds"):
        spec = load_world_spec(name)
        ground = f"{spec.ground.type} {spec.ground.material}".strip()
        rows.append(
            {
                "name": name,
                "ground": ground,
                "size_m": _size(spec.ground),
                "objects": object_count(spec),
                "scattered": len(spec.scatter),
                "thumbnail": _thumbnail(name),
                "description": " ".join(spec.description.split()),
            }
        )
    return rows


def object_count(spec: WorldSpec) -> int:
    """Return the number of objects that a world lists singly: shapes, files, props."""
    made = sum(max(1, len(thing.places)) for thing in spec.things)
    return len(spec.objects) + len(spec.models) + made


def _size(ground: object) -> str:
    size = getattr(ground, "size", None)
    sides = (size, size) if isinstance(size, float) else tuple(size or ())
    return " x ".join(f"{side:g}" for side in sides[:2])


def _thumbnail(name: str) -> str:
    """Return the thumbnail of a world, if there is one."""
    path = LIBRARY / "worlds" / "thumbnails" / f"{name}.jpg"
    return str(path) if path.is_file() else ""


def scenarios() -> list[Row]:
    """Return the scenarios with their robots."""
    rows = []
    for name in library_names("scenarios"):
        scenario = load(name)
        world = scenario.world if isinstance(scenario.world, str) else scenario.world.name
        rows.append(
            {
                "name": name,
                "world": world,
                "robots": ", ".join(sorted({entry.model for entry in scenario.robots})),
                "duration_s": scenario.duration_s,
                "description": scenario.description,
            }
        )
    return rows


def engines() -> list[Row]:
    """Return the engines and whether they can be used here."""
    from outrider.physics.engine import ENGINES

    return _usable(ENGINES, _ENGINES)


def bridges() -> list[Row]:
    """Return the bridges, whether they can be used here, and their options."""
    from outrider.bridges.bridge import BRIDGES, bridge_options

    rows = _usable(BRIDGES, _BRIDGES)
    for row in rows:
        kind, _ = bridge_options(str(row["name"]))
        row["options"] = ", ".join(option.name for option in fields(kind.Options))
    return rows


def _usable(names: Registry, known: dict[str, tuple[str, str]]) -> list[Row]:
    rows = []
    for name in names:
        module, description = known.get(name, ("numpy", "from another package"))
        found = find_spec(module) is not None
        rows.append({"name": name, "installed": found, "description": description})
    return rows


def materials() -> list[Row]:
    """Return the materials with their tyre parameters."""
    return [
        {
            "name": name,
            "friction": material.friction,
            "lateral_ratio": material.lateral_ratio,
            "rolling_resistance": material.rolling_resistance,
            "reflectivity": material.reflectivity,
        }
        for name, material in sorted(library_materials().items())
    ]


def sensors() -> list[Row]:
    """Return the sensors with their rates."""
    rows = []
    for name in library_names("sensors"):
        path = library_path("sensors", name)
        file = from_data(SensorFile, read_yaml(path), path.name)
        rows.append(
            {
                "name": name,
                "type": file.type,
                "rate_hz": file.rate_hz,
                "description": file.description,
            }
        )
    return rows


CATALOGUE: dict[str, Callable[[], list[Row]]] = {
    "robots": robots,
    "worlds": worlds,
    "scenarios": scenarios,
    "sensors": sensors,
    "engines": engines,
    "bridges": bridges,
    "materials": materials,
    "services": listed,
}
