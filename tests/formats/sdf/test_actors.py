"""SDF actors: people of ours, where their waypoints and times say."""

import numpy as np
import pytest

from outrider.core.errors import FormatError
from outrider.formats.import_file import import_file
from outrider.scenarios.build import build
from outrider.scenarios.load import loads

WORLD = """<sdf version="1.7"><world name="plaza">
  <model name="floor"><static>true</static><link name="link"><collision name="c"><geometry>
    <plane><size>100 100</size></plane></geometry></collision></link></model>
  {more}
  <actor name="walker">
    <skin><filename>walk.dae</filename></skin>
    <animation name="walking"><filename>walk.dae</filename></animation>
    <script>
      <loop>{loop}</loop><delay_start>1</delay_start>
      <trajectory id="0" type="walking">
        <waypoint><time>0</time><pose>0 2 1 0 0 0</pose></waypoint>
        <waypoint><time>{time}</time><pose>4 2 1 0 0 0</pose></waypoint>
        <waypoint><time>8</time><pose>4 6 1 0 0 1.57</pose></waypoint>
      </trajectory>
    </script>
    <plugin name="p" filename="libMine.so"/>
  </actor>
  <actor name="walker"><pose>7 7 0 0 0 0</pose></actor>
</world></sdf>"""


def written(tmp_path, more="", loop="false", time="4"):
    file = tmp_path / "plaza.world"
    file.write_text(WORLD.format(more=more, loop=loop, time=time))
    return file


def test_an_actor_becomes_a_person_with_a_timetable(tmp_path):
    found = import_file(written(tmp_path))
    first, second = found.world.actors
    assert (first.points, first.times) == (((0, 2), (4, 2), (4, 6)), (0, 4, 8))
    assert (first.loop, first.start_s) == (False, 1.0)
    assert (second.name, second.points) == ("walker_2", ((7, 7),))
    assert found.report.counts["actors"] == ["walker", "walker_2"]


def test_what_is_not_taken_over_is_told(tmp_path):
    report = import_file(written(tmp_path)).report
    assert any("skin and animation" in note for note in report.of("guessed"))
    assert any("plugins of actors" in note for note in report.of("ignored"))


def test_it_walks_when_the_file_is_run(tmp_path):
    sim = build(loads(f"world: {written(tmp_path)}\nrobots: []"))
    sim.run(3.0)
    body = sim.state.bodies[sim.rig.assembly.root("walker")]
    np.testing.assert_allclose(body["position"][:2], [2, 2], atol=1e-6)
    np.testing.assert_allclose(body["velocity"][:2], [1, 0], atol=1e-6)


def test_a_heading_turns_way_points_with_the_world(tmp_path):
    turned = (
        "<spherical_coordinates><heading_deg>90</heading_deg><latitude_deg>0</latitude_deg>"
        "<longitude_deg>0</longitude_deg></spherical_coordinates>"
    )
    first, _ = import_file(written(tmp_path, turned)).world.actors
    np.testing.assert_allclose(first.points[1], (-2, 4), atol=1e-9)


def test_a_time_that_cannot_be_is_refused(tmp_path):
    with pytest.raises(FormatError, match="a time of -4 s"):
        import_file(written(tmp_path, time="-4"))
