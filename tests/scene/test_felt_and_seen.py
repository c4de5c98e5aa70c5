"""Files with collision shapes: wheels feel those, sensors see the visuals."""

import numpy as np
import pytest

from outrider.cli.output.surface_facts import surface_facts
from outrider.formats.import_file import as_world, import_file
from outrider.scene.past_poses import PastPoses
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.vehicles.robot import load_robot

PLANE = "<geometry><plane><normal>0 0 1</normal><size>50 50</size></plane></geometry>"
BOX = "<geometry><box><size>{}</size></box></geometry>"
PLACES = """<sdf version='1.6'><world name='pond'>
<model name='floor'><static>1</static><link name='l'>
  <collision name='c'>{plane}</collision>
  <visual name='v'>{plane}</visual>
</link></model>
<model name='water'><static>1</static><pose>0 0 0.2 0 0 0</pose><link name='l'>
  <collision name='c'>{slab}</collision>
  <visual name='v'><pose>0 0 -0.15 0 0 0</pose>{slab}</visual>
</link></model>
<model name='ghost'><static>1</static><pose>1.5 0 1 0 0 0</pose><link name='l'>
  <visual name='v'>{wall}</visual>
</link></model>
<model name='unseen'><static>1</static><pose>-2 0 1 0 0 0</pose><link name='l'>
  <collision name='c'>{wall}</collision>
</link></model>
</world></sdf>"""


def _places():
    return PLACES.format(plane=PLANE, slab=BOX.format("8 8 0.1"), wall=BOX.format("0.1 4 2"))


@pytest.fixture
def pond(tmp_path):
    """Water that carries, 15 cm above where it is seen; a wall that is seen, one that is felt."""
    text = _places()
    (tmp_path / "pond.world").write_text(text, encoding="utf-8")
    return as_world(import_file(tmp_path / "pond.world"))


@pytest.fixture
def simulation(pond):
    return Simulation(pond, [Participant(load_robot("jackal").bare(), "jackal")])


def _looked(simulation, origin, direction):
    scene, state = simulation.rig.scene, simulation.state
    sight = scene.look(
        np.array([origin], np.float32),
        np.array([direction], np.float32),
        np.full(1, 100, np.float32),
        np.zeros(1, np.int64),
        PastPoses.of(state.bodies, 0),
        simulation.rig.assembly.models.index("jackal"),
    )
    return float(sight.distance[0]) if sight.shape[0] >= 0 else None


def test_wheels_stand_on_the_collision_shape(simulation):
    simulation.run(0.5)
    assert simulation.robots["jackal"].pose.position[2] > 0.24


def test_a_wall_that_is_only_seen_stops_no_robot(simulation):
    for _ in range(1200):
        simulation.robots["jackal"].drive(1.0)
        simulation.step()
    assert simulation.robots["jackal"].pose.position[0] > 2.0


def test_a_wall_that_is_only_felt_stops_it(simulation):
    for _ in range(1200):
        simulation.robots["jackal"].drive(-1.0)
        simulation.step()
    assert simulation.robots["jackal"].pose.position[0] > -1.9


def test_sensors_see_the_visuals(simulation):
    assert _looked(simulation, [0, 0, 1], [1, 0, 0]) == pytest.approx(1.45, abs=1e-4)
    assert _looked(simulation, [0, 0, 1], [-1, 0, 0]) is None
    assert _looked(simulation, [3, 3, 1], [0, 0, -1]) == pytest.approx(0.9, abs=1e-4)


def test_the_report_says_where_the_two_differ(pond):
    told = surface_facts(pond)["differences"]
    assert [text.split(":")[0] for text in told] == ["ghost", "unseen", "water"]
    assert "visible but not solid" in told[0]
    assert "solid but invisible" in told[1]
    assert told[2].startswith("water: 0.15 m")


def test_a_file_without_collision_shapes_is_felt_as_it_is_seen(tmp_path):
    text = _places()
    start = text.index("<model name='ghost'")
    ghost = text[start : text.index("<model name='unseen'")]
    (tmp_path / "one.sdf").write_text(f"<sdf version='1.6'>{ghost}</sdf>", encoding="utf-8")
    scene = Simulation(as_world(import_file(tmp_path / "one.sdf"))).rig.scene
    assert scene.static is not None
    assert scene.static is scene.view.static


def test_a_thing_that_moves_is_felt_and_seen_apart_as_well(tmp_path):
    (tmp_path / "cart.urdf").write_text(
        "<robot name='cart'><link name='l'><inertial><mass value='5'/><inertia ixx='1' ixy='0' "
        "ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
        "<visual><geometry><box size='1 1 1'/></geometry></visual>"
        "<collision><geometry><box size='2 2 2'/></geometry></collision></link></robot>",
        encoding="utf-8",
    )
    simulation = Simulation(as_world(import_file(tmp_path / "cart.urdf")))
    scene = simulation.rig.scene
    assert scene.movers[0].surface.high.tolist() == pytest.approx([1, 1, 1])
    assert scene.view.movers[0].surface.high.tolist() == pytest.approx([0.5, 0.5, 0.5])


def test_what_is_wholly_transparent_is_felt_and_not_seen(tmp_path):
    """Colliders are often hidden by an opacity of 0; a pane of glass would return a beam."""
    (tmp_path / "hall.xml").write_text(
        "<mujoco><worldbody><geom type='plane' size='20 20 1'/>"
        "<geom type='box' pos='2 0 1' size='.1 2 1' rgba='0 0 0 0'/></worldbody></mujoco>",
        encoding="utf-8",
    )
    jackal = Participant(load_robot("jackal").bare(), "jackal")
    simulation = Simulation(as_world(import_file(tmp_path / "hall.xml")), [jackal])
    assert _looked(simulation, [0, 0, 1], [1, 0, 0]) is None
    for _ in range(1200):
        simulation.robots["jackal"].drive(1.0)
        simulation.step()
    assert simulation.robots["jackal"].pose.position[0] < 1.8


@pytest.mark.parametrize(
    ("wall", "gap"),
    [("group='3'", 2.0), ("contype='0' conaffinity='0'", 2.0), ("rgba='1 1 1 0'", 2.0), ("", 0.0)],
)
def test_the_report_compares_what_stands_on_a_plane(tmp_path, wall, gap):
    (tmp_path / "hall.xml").write_text(
        "<mujoco><worldbody><geom type='plane' size='20 20 1'/>"
        f"<geom type='box' pos='2 0 1' size='.1 2 1' {wall}/></worldbody></mujoco>",
        encoding="utf-8",
    )
    facts = surface_facts(as_world(import_file(tmp_path / "hall.xml")))
    assert facts["largest_difference_m"] == pytest.approx(gap, abs=0.05)


def test_the_report_tells_of_a_pit_below_a_plane_that_carries(tmp_path):
    bowl = BOX.format("2 2 0.1")
    (tmp_path / "pit.world").write_text(
        "<sdf version='1.6'><world name='pit'><model name='m'><static>1</static><link name='l'>"
        f"<collision name='c'>{PLANE}</collision>"
        f"<visual name='v'><pose>0 0 -0.45 0 0 0</pose>{bowl}</visual>"
        "</link></model></world></sdf>",
        encoding="utf-8",
    )
    facts = surface_facts(as_world(import_file(tmp_path / "pit.world")))
    assert facts["largest_difference_m"] == pytest.approx(0.4, abs=0.01)
