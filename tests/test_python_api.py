import subprocess
import sys

import numpy as np
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


def test_a_robot_without_a_place_stands_where_the_world_says():
    maze = o.load("maze")
    here = o.Simulation(maze, robots=[o.robot("create")]).robots["create"].pose.position
    assert np.allclose(here[:2], maze.start.position[:2], atol=1e-6)
    assert not np.allclose(here[:2], 0.0)
    there = o.Simulation(o.load("empty"), robots=[o.robot("create", x=2.0)])
    assert np.allclose(there.robots["create"].pose.position[:2], [2.0, 0.0], atol=1e-6)
