"""Write the OBJ meshes of the library robots: metres, x forward, z up, in the link's frame.

Run `python tools/make_robot_meshes.py [FOLDER]`; the output is the same on every run. Colours are
not in the meshes: the URDF gives each one a material. Sizes come from the comments in the URDFs.
"""

import sys
from collections.abc import Callable
from pathlib import Path

from robot_meshes.autominy import autominy
from robot_meshes.create import create
from robot_meshes.husky import husky
from robot_meshes.jackal import jackal
from robot_meshes.mesh import Mesh
from robot_meshes.obj import obj_text
from robot_meshes.tank import tank
from robot_meshes.tracked_ugv import tracked_ugv

ROBOTS = Path(__file__).resolve().parents[1] / "src" / "outrider" / "library" / "robots"

ROBOT_MESHES: dict[str, Callable[[], dict[str, Mesh]]] = {
    "jackal": jackal,
    "husky": husky,
    "autominy": autominy,
    "create": create,
    "tracked_ugv": tracked_ugv,
    "tank": tank,
}


def main(folder: Path) -> None:
    """Write every mesh of every robot below the folder."""
    for robot, build in ROBOT_MESHES.items():
        target = folder / robot / "meshes"
        target.mkdir(parents=True, exist_ok=True)
        for name, mesh in build().items():
            (target / f"{name}.obj").write_text(obj_text(mesh))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROBOTS)
