"""What a sensor cannot measure with is refused when it is mounted, not at its first measurement."""

import pytest

import outrider as o
from outrider.core.errors import OutriderError
from outrider.specs.sensor import SensorEntry


@pytest.mark.parametrize(
    ("model", "parameters", "complaint"),
    [
        ("camera", {"renderer": "g1"}, "there is no renderer 'g1'"),
        ("camera", {"outputs": []}, "outputs: expected at least one"),
        ("ideal-compass", {"heading_step_deg": 1000.0}, "heading_step_deg: must be at most 360"),
        ("ideal-gnss", {"constellations": []}, "constellations: expected at least one"),
        (
            "jackal-encoders",
            {"ticks_per_revolution": 1e99},
            "ticks_per_revolution: must be at most",
        ),
    ],
)
def test_what_would_fail_at_the_first_measurement_is_refused(model, parameters, complaint):
    session = o.Session(o.scenario("demo", "world=empty"))
    before = session.simulation
    with pytest.raises(OutriderError, match=complaint):
        session.add(SensorEntry("odd", model, set=parameters), "jackal")
    assert session.simulation is before
