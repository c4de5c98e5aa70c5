"""Wind, drag and wet ground."""

import math

import numpy as np
import pytest

from outrider.core.errors import ConfigError
from outrider.core.frames import Pose
from outrider.loader.world import build_world
from outrider.sim.rig import Participant
from outrider.sim.simulation import Simulation
from outrider.specs.world import FlatGround, ObjectSpec, PoseSpec, SphereSpec, WorldSpec
from outrider.vehicles.robot import load_robot
from outrider.weather.spec import WeatherSpec
from outrider.world.materials import Material

RADIUS, MASS = 0.11, 0.43  # a football
AIR = 1.225 * 0.47 * math.pi * RADIUS**2 / 2


def _ball(weather: WeatherSpec | None, height: float = 300.0, engine: str = "mujoco") -> Simulation:
    pose = PoseSpec(z=height)
    ball = ObjectSpec("ball", shape=SphereSpec(radius=RADIUS), mass=MASS, pose=pose)
    spec = WorldSpec(ground=FlatGround(), objects=(ball,), weather=weather)
    return Simulation(build_world(spec), engine=engine)


def _velocity(simulation: Simulation) -> np.ndarray:
    row = simulation.rig.assembly.root("ball")
    return np.array(simulation.state.bodies[row]["velocity"])


@pytest.mark.parametrize("engine", ["mujoco", "bullet"])
def test_a_ball_falls_in_still_air_with_its_terminal_speed(engine: str) -> None:
    """Sea level air, humidity none: sqrt(2 m g / (rho cd A)) = 19.6 m/s; at 125 m 0.6 % more."""
    simulation = _ball(WeatherSpec(drag=True, humidity=0.0), engine=engine)
    simulation.run(12.0)
    height = simulation.state.bodies[0]["position"][2]
    thinner = (1 - 0.0065 * height / 288.15) ** 4.2559
    expected = math.sqrt(MASS * 9.80665 / (AIR * thinner))
    assert -_velocity(simulation)[2] == pytest.approx(expected, rel=0.01)
    assert expected == pytest.approx(19.7, abs=0.2)


def test_without_wind_nothing_is_dragged() -> None:
    """Weather alone leaves the motion as it is, to the last bit."""
    calm, none = _ball(WeatherSpec(visibility_m=50.0, temperature_c=-10.0)), _ball(None)
    calm.run(1.0)
    none.run(1.0)
    assert calm.state_hash == none.state_hash


def test_wind_carries_a_falling_ball_to_its_own_speed() -> None:
    simulation = _ball(WeatherSpec(wind_m_s=8.0, wind_from_deg=270.0))
    simulation.run(12.0)
    assert _velocity(simulation)[0] == pytest.approx(8.0, rel=0.03)
    assert _velocity(simulation)[1] == pytest.approx(0.0, abs=1e-9)


def test_gusts_repeat_and_go_on_from_a_saved_state_and_after_a_reset() -> None:
    gusty = WeatherSpec(wind_m_s=6.0, gusts_m_s=2.0)
    first, second = _ball(gusty), _ball(gusty)
    first.run(0.3)
    saved = first.get_state()
    first.run(0.3)
    second.run(0.6)
    assert first.state_hash == second.state_hash
    second.set_state(saved)
    second.run(0.3)
    assert first.state_hash == second.state_hash
    second.reset()
    second.run(0.6)
    assert first.state_hash == second.state_hash


def test_an_area_may_be_given_and_must_belong_to_a_model() -> None:
    """Area times coefficient in place of the ball's own: four times as much, half the speed."""
    areas = {"ball": 4 * 0.47 * math.pi * RADIUS**2}
    simulation = _ball(WeatherSpec(drag=True, humidity=0.0, drag_areas=areas), height=120.0)
    simulation.run(8.0)
    assert -_velocity(simulation)[2] == pytest.approx(math.sqrt(MASS * 9.80665 / AIR) / 2, rel=0.01)
    with pytest.raises(ConfigError, match=r"there is no model 'bal' .did you mean 'ball'"):
        _ball(WeatherSpec(drag=True, drag_areas={"bal": 1.0}))


def _slips(weather: WeatherSpec | None) -> float:
    """Return how far a parked robot slips in a second on a slope of 0.6 with a friction of 0.7."""
    slope = FlatGround(material="slab", slope_deg=math.degrees(math.atan(0.6)))
    slab = {"slab": Material("slab", friction=0.7)}
    world = build_world(WorldSpec(ground=slope, materials=slab, weather=weather))
    simulation = Simulation(world, [Participant(load_robot("jackal").bare(), "robot", Pose())])
    root = simulation.rig.vehicles[0].root
    before = simulation.state.bodies[root]["position"].copy()
    simulation.run(1.0)
    return float(np.linalg.norm(simulation.state.bodies[root]["position"] - before))


def test_a_robot_slips_on_a_wet_slope_that_holds_it_when_dry() -> None:
    assert _slips(None) == _slips(WeatherSpec(wetness=0.0)) < 0.1
    assert _slips(WeatherSpec(wetness=1.0)) > 0.25
    assert _slips(WeatherSpec(snow_cover=1.0)) > _slips(WeatherSpec(wetness=1.0))
