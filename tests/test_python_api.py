import subprocess
import sys

import pytest

import outrider as o

HEAVY = ("numpy", "mujoco", "numba", "embreex", "rosbags", "typer", "rich", "yaml")


def test_importing_costs_nothing():
    code = f"import outrider, sys; print([m for m in {HEAVY} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_is_there():
    for name in o.__all__:
        assert getattr(o, name) is not None
    assert set(dir(o)) >= set(o.__all__)
    with pytest.raises(AttributeError, match="no attribute 'lode'"):
        o.lode  # noqa: B018


def test_a_robot_is_put_where_it_is_told():
    husky = o.robot("husky", "h", x=1.0, y=-2.0, yaw_deg=90.0)
    flying = o.robot("jackal", x=5.0, z=3.0)
    sim = o.Simulation(o.load("slope"), robots=[husky, flying])
    assert sim.robots["h"].pose.position[:2].tolist() == pytest.approx([1.0, -2.0])
    assert sim.robots["h"].pose.rpy[2] == pytest.approx(1.5708, abs=0.01)
    assert sim.robots["jackal"].pose.position.tolist() == [5.0, 0.0, 3.0]
