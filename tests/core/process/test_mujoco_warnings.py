"""MuJoCo's warnings are logged; no file of them appears in the folder of the user."""

import subprocess
import sys

import pytest

WARN = """
import mujoco, numpy
body = "<worldbody><body><freejoint/><geom size='.1'/></body></worldbody>"
model = mujoco.MjModel.from_xml_string(f"<mujoco>{body}</mujoco>")
data = mujoco.MjData(model)
data.qpos[0] = numpy.nan
mujoco.mj_step(model, data)
try:
    model = mujoco.MjModel.from_xml_string(f"<mujoco><size memory='64'/>{body}</mujoco>")
    mujoco.mj_step(model, mujoco.MjData(model))
except (mujoco.FatalError, ValueError):
    print("went on")
"""
KINEMATIC = """
import outrider as o
o.Simulation(o.load_world("empty"), robots=[], engine="kinematic")
"""
HULL = """
import numpy
from outrider.physics.colliders.convex import hull
hull(numpy.random.default_rng(1).random((20, 3)))
"""
MJCF = """
from pathlib import Path
from outrider.formats.mjcf.read import read_mjcf
Path("a.xml").write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
read_mjcf(Path("a.xml"))
"""


@pytest.mark.parametrize("first", [KINEMATIC, HULL, MJCF], ids=["kinematic", "hull", "mjcf"])
def test_warnings_and_fatal_errors_leave_no_file(first, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", first + WARN],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "went on\n", done.stderr
    assert "MuJoCo: Nan, Inf or huge value in QPOS" in done.stderr
    assert not (tmp_path / "MUJOCO_LOG.TXT").exists()
