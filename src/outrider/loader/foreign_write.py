"""Writes imported models as Outrider files: a robot with its URDF, a world with its SDF."""

import re
from dataclasses import replace
from pathlib import Path

from outrider.core.frames import Pose
from outrider.formats.export_file import export_file
from outrider.formats.import_file import Imported, as_world
from outrider.loader.foreign_world import foreign_world_spec
from outrider.loader.save import save_data, save_world
from outrider.specs.world import ModelEntry


def write_imported(found: Imported, folder: Path) -> list[Path]:
    """Write an import into a folder, meshes and textures with it; return the files to edit."""
    told = found.report.name
    if told in ("default", "world"):  # what Gazebo calls a world that nobody named
        told = Path(found.report.file).name.split(".")[0]
    name = _file_name(told)
    folder.mkdir(parents=True, exist_ok=True)
    robots = [robot for robot in found.robots if robot.draft is not None]
    written = []
    for robot in robots:
        own = name if found.world is None else _file_name(robot.model.name)
        urdf = export_file(replace(robot.model, pose=Pose()), folder / f"{own}.urdf").path
        data = {**(robot.draft or {}), "urdf": urdf.name}
        written += [save_data(data, "robot", folder / f"{own}.yaml"), urdf]
    if robots and found.world is None:
        return written
    taken = {path.stem for path in written}
    written += _write_world(found, folder, f"{name}_world" if name in taken else name)
    return written


def _file_name(told: str) -> str:
    return re.sub(r"[^\w.-]+", "_", told).strip("._") or "imported"


def _write_world(found: Imported, folder: Path, name: str) -> list[Path]:
    sdf = export_file(as_world(found), folder / f"{name}.sdf").path
    return [
        save_world(foreign_world_spec(found, ModelEntry(str(sdf))), folder / f"{name}.yaml"),
        sdf,
    ]
