"""Changes of the world itself, and what is kept of it, without a browser."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from editor_bench import YARD, looping

from outrider.core.cache_folder import cache_dir
from outrider.core.errors import ConfigError
from outrider.loader.materials import library_materials
from outrider.scenarios.load import loads
from outrider.scenarios.run import Run
from outrider.scenarios.session.session import Session
from outrider.ui import editing, projects, routes, world_settings
from outrider.ui.commands import Commands
from outrider.ui.editor_state import EditorState
from outrider.ui.options import EditorOptions
from outrider.ui.views.sizes import size_text
from outrider.ui.views.texts import Texts
from outrider.ui.workshop import files, opening


@pytest.fixture
def session() -> Session:
    return Session(loads(YARD))


def test_light_comes_from_where_it_is_told_and_robots_go_on(session: Session) -> None:
    session.simulation.run(0.5)
    direction = world_settings.direction_from(30.0, 12.0)
    session.apply(world_settings.with_light(session, "sun", direction=direction))
    sun = session.simulation.rig.assembly.world.lights[0]
    assert world_settings.angles_of(sun) == pytest.approx((30.0, 12.0))
    assert session.simulation.time_s == pytest.approx(0.5)
    session.apply(world_settings.added_light(session, "jackal"))
    session.apply(world_settings.without_light(session, "sun"))
    lamps = session.simulation.rig.assembly.world.lights
    assert [(lamp.name, lamp.kind) for lamp in lamps] == [("lamp_1", "point")]
    session.undo()
    session.undo()
    assert [light.name for light in session.simulation.rig.assembly.world.lights] == ["sun"]


def test_gravity_can_be_that_of_the_moon(session: Session) -> None:
    session.apply(world_settings.with_world(session, gravity=(0.0, 0.0, -1.62)))
    session.apply(editing.added_primitive(session, "sphere", "jackal", (3.0, 3.0)))
    session.apply(editing.moved(session, "sphere", z=2.25))
    session.simulation.run(1.0)
    height = editing.pose_of(session, "sphere").position[2]
    assert height == pytest.approx(2.25 - 0.5 * 1.62, abs=0.01)


def test_friction_of_one_object_is_its_own(session: Session) -> None:
    session.apply(editing.added_primitive(session, "box", "jackal", (2.0, 2.0)))
    before = world_settings.friction_of(session, "concrete")
    session.apply(world_settings.with_friction(session, "box", 0.05))
    item = editing.object_of(session, "box")
    assert world_settings.friction_of(session, item.material) == 0.05
    assert world_settings.friction_of(session, "concrete") == before
    assert editing.object_of(session, "wall").material == "brick"


def test_a_thing_is_put_in_made_larger_and_taken_away(session: Session) -> None:
    change, name = world_settings.added_thing(session, "barrel", "jackal")
    session.apply(change)
    session.apply(world_settings.with_thing(session, name, lambda t: replace(t, size=2.0)))
    thing = world_settings.thing_of(session, name)
    assert thing is not None
    assert thing.size == 2.0
    assert thing.pose.x == pytest.approx(2.0, abs=0.01)
    session.apply(world_settings.with_thing(session, name, lambda _: None))
    assert world_settings.thing_of(session, name) is None
    with pytest.raises(ConfigError, match="not a single prop"):
        world_settings.with_thing(session, "ground", lambda _: None)


def test_a_route_is_changed_saved_and_loaded(session: Session, tmp_path: Path) -> None:
    session.apply(routes.sent_to(session, "jackal", 1.0, 0.0, more=False))
    session.apply(routes.sent_to(session, "jackal", 2.0, 1.0, more=True))
    session.apply(routes.rerouted(session, "jackal", speed=0.3, loop=True))
    route = routes.waypoints_of(editing.entry_of(session, "jackal"))
    assert route is not None
    assert (route.speed, route.loop) == (0.3, True)
    path = routes.save_route(tmp_path, "round", route)
    assert routes.route_files(tmp_path) == [path]
    session.apply(routes.halted(session, "jackal"))
    session.apply(routes.loaded(session, "jackal", path))
    assert routes.route_of(editing.entry_of(session, "jackal")) == ((1.0, 0.0), (2.0, 1.0))
    with pytest.raises(ConfigError, match="is no route's name"):
        routes.save_route(tmp_path, "../round", route)


def test_what_was_built_here_is_copied_into_the_project(tmp_path: Path) -> None:
    scenario = opening.new_robot("rover", "four wheels")
    assert Path(scenario.robots[0].model).is_relative_to(cache_dir())
    projects.save_project(scenario, tmp_path / "mine")
    again = projects.open_project(tmp_path, "mine")
    model = Path(again.robots[0].model)
    assert model.is_relative_to(tmp_path / "mine")
    assert files.robot_of(Session(again), "rover").spec.name == "rover"


def test_a_script_stops_at_the_line_that_is_refused(tmp_path: Path) -> None:
    editor = EditorState(Run(loads(YARD), speed=0.0), EditorOptions(projects=tmp_path))
    script = tmp_path / "set-up.txt"
    script.write_text("# two boxes\nspawn box 3 1\n\nspawn box 3 2\nmove nothing 1 2\nspawn box\n")
    wrong = r"line 5: there is no robot or object 'nothing'"
    with looping(editor.run), pytest.raises(ConfigError, match=wrong):
        Commands(editor, own_user=True).run(f"script {script}")
    names = [item.name for item in editor.session.scenario.obstacles]
    assert names == ["box", "box_2"]
    with pytest.raises(ConfigError, match="cannot be read"):
        Commands(editor, own_user=True).run(f"script {tmp_path}/none.txt")


def test_what_nobody_saved_is_rescued(tmp_path: Path) -> None:
    editor = EditorState(Run(loads(YARD), speed=0.0), EditorOptions(projects=tmp_path))
    assert editor.rescued() is None
    editor.session.apply(editing.added_primitive(editor.session, "box", "jackal"))
    assert editor.rescued() == tmp_path / "unsaved"
    assert projects.open_project(tmp_path, "unsaved").obstacles[0].name == "box"


def test_the_last_lines_of_a_text_are_kept() -> None:
    texts = Texts()
    for number in range(30):
        shown = texts.add("/said", "std_msgs/msg/String", SimpleNamespace(data=f"line {number}"))
    assert shown.splitlines()[0] == "line 18"
    assert shown.splitlines()[-1] == "line 29"


@pytest.mark.parametrize(
    ("octets", "said"), [(324, "324 B"), (4_400, "4.4 kB"), (2_359_400, "2.4 MB")]
)
def test_sizes_are_told_as_people_read_them(octets: int, said: str) -> None:
    assert size_text(octets) == said


PAINTED = """\
obstacles:
  - {name: plain, shape: {type: box, size: [1, 1, 1]}, pose: {x: -5}, material: plastic}
  - name: painted
    pose: {x: -9}
    colour: [1, 0, 0]
    parts:
      - {shape: {type: box, size: [1, 1, 1]}}
      - {shape: {type: box, size: [1, 1, 1]}, pose: {z: 1}, colour: [0, 1, 0]}
"""


def test_the_colour_that_is_shown_is_the_object_s_own_or_its_material_s() -> None:
    session = Session(loads(YARD + PAINTED))
    plain, painted = (editing.object_of(session, name) for name in ("plain", "painted"))
    assert world_settings.seen_colour(session, plain) == library_materials()["plastic"].colour
    assert world_settings.seen_colour(session, painted) == (1.0, 0.0, 0.0, 1.0)
    first, second = (world_settings.seen_colour(session, painted, p) for p in painted.parts)
    assert first == (1.0, 0.0, 0.0, 1.0)  # the object's
    assert second == (0.0, 1.0, 0.0, 1.0)


def test_the_world_has_as_many_triangles_as_the_command_line_counts() -> None:
    session = Session(loads("world: hratc\nrobots: [{model: jackal}]"))
    assert world_settings.triangles_seen(session) == 18764  # docs/worlds.md
