"""Wind of an SDF world."""

import numpy as np
import pytest

import outrider as o
from outrider.core.errors import OutriderError
from outrider.formats.import_file import import_file
from outrider.weather.wind import mean_wind

BALL = """<model name="ball"><pose>0 0 5 0 0 0</pose><link name="l">
<inertial><mass>0.1</mass><inertia><ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz></inertia></inertial>
<collision name="c"><geometry><sphere><radius>0.2</radius></sphere></geometry></collision>
</link></model>"""


def written(tmp_path, wind, heading=0):
    file = tmp_path / "windy.sdf"
    place = f"<spherical_coordinates><heading_deg>{heading}</heading_deg></spherical_coordinates>"
    file.write_text(f'<sdf version="1.9"><world name="w">{place}{wind}{BALL}</world></sdf>')
    return file


def blowing(words):
    return f"<wind><linear_velocity>{words}</linear_velocity></wind>"


def test_wind_becomes_weather_and_carries_things_along(tmp_path):
    file = written(tmp_path, blowing("0 6 0"))
    found = import_file(file)
    assert found.world is not None
    np.testing.assert_allclose(mean_wind(found.world.world.weather), [0, 6, 0], atol=1e-9)
    assert "wind became the world's weather" in " ".join(found.report.of("guessed"))
    assert "<wind>" not in " ".join(found.report.of("ignored"))
    sim = o.open(file)
    sim.run(0.5)
    assert sim.state.bodies["velocity"][:, 1].max() > 1.0


def test_wind_is_turned_with_its_world(tmp_path):
    ahead = import_file(written(tmp_path, blowing("3 0 0"), heading=90)).world
    assert ahead is not None
    turned = mean_wind(ahead.world.weather)
    ball = ahead.world.models[0].pose.rotation
    along = o.Pose(np.zeros(3), ball).apply(np.array([[3.0, 0.0, 0.0]]))[0]
    np.testing.assert_allclose(turned, along, atol=1e-9)


def test_without_wind_there_is_no_weather(tmp_path):
    found = import_file(written(tmp_path, blowing("0 0 0"))).world
    assert found is not None
    assert found.world.weather is None


@pytest.mark.parametrize("words", ["1 2", "a b c", "nan 0 0", "1e9 0 0"])
def test_bad_wind_is_refused_in_a_sentence(tmp_path, words):
    with pytest.raises(OutriderError, match="linear_velocity"):
        import_file(written(tmp_path, blowing(words)))
