"""A model of SDF is placed by its own frame, in which its first link may have a pose."""

import numpy as np
import pytest

import outrider as o
from outrider.core.structure import from_data
from outrider.scenarios.scenario import Scenario
from outrider.scenarios.services.in_process import Control
from outrider.scenarios.services.model_state import motion_of
from outrider.scenarios.session.session import Session

INERTIAL = (
    "<inertial><mass>{}</mass>"
    "<inertia><ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz></inertia></inertial>"
)
BOX = f"""<sdf version="1.7"><model name="box"><pose>9 9 9 0 0 0</pose>
  <link name="body"><pose>0.3 0 0.5 0 0 1.5707963267948966</pose>{INERTIAL.format(5)}
    <collision name="c"><geometry><box><size>1 0.6 1</size></box></geometry></collision>
  </link></model></sdf>"""
WHEEL = (
    """<link name="{side}"><pose>0 {y} 0.1 -1.5707963267948966 0 0</pose>"""
    + INERTIAL.format(1)
    + """<collision name="c"><geometry>
  <cylinder><radius>0.1</radius><length>0.04</length></cylinder></geometry></collision></link>
  <joint name="{side}_joint" type="revolute"><parent>chassis</parent><child>{side}</child>
    <axis><xyz>0 0 1</xyz></axis></joint>"""
)
ROBOT = f"""<sdf version="1.7"><model name="cart">
  <link name="chassis"><pose>0 0 0.15 0 0 0</pose>{INERTIAL.format(8)}
    <collision name="c"><geometry><box><size>0.4 0.2 0.05</size></box></geometry></collision>
    <collision name="castor"><pose>-0.15 0 -0.1 0 0 0</pose>
      <geometry><sphere><radius>0.05</radius></sphere></geometry></collision></link>
  {WHEEL.format(side="left", y=0.2)}{WHEEL.format(side="right", y=-0.2)}
  <plugin name="drive" filename="gz-sim-diff-drive-system">
    <left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>
    <wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius></plugin>
</model></sdf>"""


@pytest.fixture
def control(tmp_path):
    (tmp_path / "box.sdf").write_text(BOX)
    models = [{"file": str(tmp_path / "box.sdf"), "name": "first", "pose": {"x": 5.0, "z": 2.0}}]
    world = {"name": "yard", "ground": {"type": "flat"}, "models": models}
    data = {"name": "s", "world": world, "robots": [{"model": "jackal"}]}
    return Control(Session(from_data(Scenario, data, "s")))


def position(control, name):
    return np.array(control.call("get_state", name=name)["position"])


def test_entries_of_a_world_place_the_model_not_its_first_link(control):
    np.testing.assert_allclose(position(control, "first"), [5.0, 0.0, 2.0], atol=1e-12)
    np.testing.assert_allclose(position(control, "first/body"), [5.3, 0.0, 2.5], atol=1e-12)


def test_a_model_without_a_height_stands_on_the_ground(tmp_path):
    (tmp_path / "box.sdf").write_text(BOX)
    (tmp_path / "yard.yaml").write_text(
        "ground: {type: flat}\nmodels: [{file: box.sdf, name: b, pose: {x: 5}}]\n"
    )
    simulation = o.open(str(tmp_path / "yard.yaml"))
    place = motion_of(simulation, "b/body").pose.position
    np.testing.assert_allclose(place, [5.3, 0.0, 0.5], atol=2e-3)


def test_what_is_spawned_and_set_is_where_get_state_says(control):
    turned = [0.0, 0.0, np.sin(0.5), np.cos(0.5)]
    control.call(
        "spawn", name="second", text=BOX, format="sdf", position=[0, 5, 0.01], orientation=turned
    )
    np.testing.assert_allclose(position(control, "second"), [0.0, 5.0, 0.01], atol=1e-9)
    link = [0.3 * np.cos(1.0), 5.0 + 0.3 * np.sin(1.0), 0.51]
    np.testing.assert_allclose(position(control, "second/body"), link, atol=1e-9)
    control.call("set_state", name="second", position=[0, -5, 1])
    np.testing.assert_allclose(position(control, "second"), [0.0, -5.0, 1.0], atol=1e-9)
    link = [link[0], link[1] - 10.0, 1.5]  # it keeps its turn
    np.testing.assert_allclose(position(control, "second/body"), link, atol=1e-9)
    models = control.call("get_states")["models"]
    np.testing.assert_allclose(models["second"]["position"], [0.0, -5.0, 1.0], atol=1e-9)


@pytest.mark.parametrize("z", [0.0, None])
def test_a_robot_of_sdf_is_spawned_on_its_wheels(control, z):
    pose = {"x": -4.0, "y": 1.0} | ({} if z is None else {"z": z})
    answer = control.call("spawn", name="cart", text=ROBOT, format="sdf", pose=pose)
    assert answer["kind"] == "robot"
    np.testing.assert_allclose(position(control, "cart"), [-4.0, 1.0, 0.0], atol=0.01)
    chassis = position(control, "cart/chassis")
    np.testing.assert_allclose(chassis, [-4.0, 1.0, 0.15], atol=0.01)
