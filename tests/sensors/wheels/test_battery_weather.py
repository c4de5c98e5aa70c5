"""A battery in the cold."""

from typing import Any

import pytest
from tests.sensors.sensor_stand import simulate

from outrider.specs.sensor import SensorEntry


def _battery(world: dict[str, Any] | None) -> Any:
    entry = SensorEntry("power", "husky-power", set={"cold_loss_per_c": 0.01})
    simulation = simulate("husky", entry, world=world)
    return simulation.sensors[0].sensor.battery_message(0)


def test_a_cold_battery_says_so_and_holds_less() -> None:
    """At 0 degrees C a loss of 1 % per degree below 20 takes a fifth."""
    usual, cold = _battery(None), _battery({"weather": {"temperature_c": 0.0}})
    assert usual.temperature != usual.temperature  # not known
    assert cold.temperature == pytest.approx(0.0, abs=0.1)
    assert cold.capacity == pytest.approx(0.8 * usual.capacity, rel=0.01)
    assert cold.design_capacity == usual.design_capacity
