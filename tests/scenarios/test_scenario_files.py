import dataclasses

import pytest

from outrider.core.errors import ConfigError
from outrider.loader.library import library_names
from outrider.scenarios.load import changed, dump, load, loads
from outrider.scenarios.names import with_names
from outrider.scenarios.scenario import (
    Collides,
    Drive,
    Expect,
    PhysicsSpec,
    ReachGoal,
    RobotEntry,
    Scenario,
    Steer,
    TipsOver,
    Waypoints,
)
from outrider.specs.world import (
    BoxSpec,
    FlatGround,
    ObjectSpec,
    PathSpec,
    PoseSpec,
    WorldSpec,
)

FULL = Scenario(
    name="1e5",  # a name that YAML would take for a number
    description="everything: once",
    world=WorldSpec(
        ground=FlatGround(slope_deg=3.0, material="ice"),
        objects=(ObjectSpec("wall", BoxSpec(size=(0.2, 4.0, 1.0)), PoseSpec(x=5.0)),),
    ),
    robots=(
        RobotEntry("husky", "yes", PoseSpec(1e-7, yaw_deg=90.0), "a/b", Drive(speed=0.5)),
        RobotEntry("autominy", "b", None, "", (Steer(steering_deg=5.0), Drive()), True),
        RobotEntry("jackal", "c", PoseSpec(z=0.5), "c", Waypoints(points=((1.0, 2.0), (3.0, 4.0)))),
        RobotEntry(
            "create", "d", topics={"cmd_vel": "drive"}, rates={"odometry": 5.0}, namespace="d"
        ),
    ),
    obstacles=(ObjectSpec("cart", BoxSpec(), path=PathSpec(((0.0, 0.0, 1.0), (1.0, 0.0, 1.0)))),),
    duration_s=None,
    seed=7,
    physics=PhysicsSpec("kinematic", 0.01),
    end=(ReachGoal(robot="yes", x=1.0), Collides(success=True), TipsOver(angle_deg=30.0)),
    expect=(Expect("distance_m", "b", least=1.0), Expect("collisions", most=0.0)),
)


def write(folder, **files: str):
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder / f"{next(iter(files))}.yaml"


def test_a_scenario_with_everything_in_it_reads_back_as_it_was_written():
    assert loads(dump(FULL)) == FULL


@pytest.mark.parametrize("name", library_names("scenarios"))
def test_library_scenarios_read_back_as_they_were_written(name):
    assert loads(dump(load(name))) == load(name)


def test_a_file_wins_over_what_it_includes_and_later_includes_over_earlier(tmp_path):
    path = write(
        tmp_path,
        top="include: [low, mid.yaml]\nphysics: {step_s: 0.001}\n".replace("low", "low.yaml"),
        low="world: ice\nseed: 5\nduration_s: 2\nphysics: {engine: kinematic, step_s: 0.004}\n",
        mid="seed: 6\nrobots: [{model: husky}]\n",
    )
    scenario = load(path)
    assert (scenario.name, scenario.world, scenario.seed) == ("top", "ice", 6)
    assert scenario.physics == PhysicsSpec("kinematic", 0.001)
    assert [robot.model for robot in scenario.robots] == ["husky"]


def test_a_scenario_of_the_library_can_be_included_by_name(tmp_path):
    scenario = load(write(tmp_path, mine="include: smoke\nseed: 9\n"))
    assert scenario == dataclasses.replace(load("smoke"), name="mine", seed=9)


def test_includes_in_a_circle_are_refused(tmp_path):
    path = write(tmp_path, a="include: b.yaml", b="include: a.yaml")
    with pytest.raises(ConfigError, match=r"in a cycle: .*a.yaml -> .*b.yaml -> .*a.yaml"):
        load(path)


def test_paths_inside_a_file_start_where_the_file_is(tmp_path):
    (tmp_path / "deep").mkdir()
    write(tmp_path, site="ground: {type: flat, material: ice}\n", car="name: car\n")
    write(tmp_path / "deep", part="world: ../site.yaml\nrobots: [{model: ../car.yaml}]\n")
    scenario = load(write(tmp_path, whole="include: deep/part.yaml\n"))
    assert scenario.world == str(tmp_path / "site.yaml")
    assert scenario.robots[0].model == str(tmp_path / "car.yaml")


def test_the_way_points_of_the_autonomy_stack_are_found_beside_the_scenario(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("autonomy: {waypoints: {file: way.csv}}\n")
    assert load(path).autonomy.waypoints.file == str(tmp_path / "way.csv")


def test_links_in_a_circle_are_told_as_a_missing_file(tmp_path):
    (tmp_path / "site.yaml").symlink_to(tmp_path / "site.yaml")
    with pytest.raises(ConfigError, match=r"world: there is no world file '.*site\.yaml'"):
        load(write(tmp_path, whole="world: site.yaml\n"))


def test_a_world_inside_a_scenario_may_build_on_another(tmp_path):
    scenario = load(write(tmp_path, s="world: {include: loam, gravity: [0, 0, -1.62]}"))
    assert isinstance(scenario.world, WorldSpec)
    assert scenario.world.gravity == (0, 0, -1.62)
    assert scenario.world.ground == FlatGround(material="sandy-loam")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("robots.0.pose.x=2", lambda s: s.robots[0].pose == PoseSpec(x=2.0)),
        ("robots.0.model=husky", lambda s: s.robots[0].model == "husky"),
        ("physics.step_s=1e-3", lambda s: s.physics.step_s == 0.001),
        ("seed=4", lambda s: s.seed == 4),
        ("duration_s=null", lambda s: s.duration_s is None),
        ("expect=[]", lambda s: s.expect == ()),
        ("world.ground.material=ice", lambda s: s.world.ground == FlatGround(material="ice")),
        ("world.ground.slope_deg=4", lambda s: s.world.ground.slope_deg == 4.0),
        ("robots.0.topics.cmd_vel=go", lambda s: s.robots[0].topics == {"cmd_vel": "go"}),
        ("robots.0.publish_tf=false", lambda s: s.robots[0].publish_tf is False),
        ("robots.0.motion={type: drive, speed: 2}", lambda s: s.robots[0].motion.speed == 2),
    ],
)
def test_overrides_reach_what_the_file_leaves_to_defaults(tmp_path, setting, value):
    assert value(load(write(tmp_path, bare="name: bare"), [setting]))


def test_overrides_reach_what_a_file_includes(tmp_path):
    path = write(tmp_path, mine="include: smoke")
    changed_ = load(path, ["robots.0.motion.speed=1", "world.objects.0.pose.x=3"])
    assert changed_.robots[0].motion == Drive(speed=1.0, yaw_rate_deg=30.0)
    assert changed_.world.objects[0].pose.x == 3.0
    assert changed_.world.ground == load("smoke", ["world.name=w"]).world.ground


def test_an_override_changes_one_of_several_that_share_a_yaml_anchor():
    text = "robots:\n - &r {model: husky, pose: {x: 1}}\n - *r\n"
    first, second = changed(loads(text), ["robots.1.pose.x=5"]).robots
    assert (first.pose.x, second.pose.x) == (1.0, 5.0)


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("robots.0.poze.x=2", "robots.0.poze: unknown key .did you mean 'pose'"),
        ("robots.0.pose.xx=2", "robots.0.pose.xx: unknown key"),
        ("robots.1.pose.x=2", r"robots.1: expected the number of an entry \(0 to 0\)"),
        ("robots.first.x=2", "robots.first: expected the number of an entry"),
        ("seed.x=2", "seed: is 1 and has no part 'x'"),
        ("physics.step_s=0", "physics.step_s: must be at least 1e-05, got 0"),
        ("physics.step_s=1", "physics.step_s: must be at most 0.05, got 1"),
        ("duration_s=soon", "duration_s: expected a number, got 'soon'"),
        ("speed", "expected KEY=VALUE, got 'speed'"),
        ("world.grund.slope_deg=2", "grund: unknown key .did you mean 'ground'"),
        ("seed=[1", "--set seed"),
    ],
)
def test_overrides_that_lead_nowhere_are_refused(setting, complaint):
    with pytest.raises(ConfigError, match=complaint):
        load("smoke", ["seed=1", setting])


def test_robots_without_a_name_are_called_after_their_model():
    one = loads("robots: [{model: husky}]").robots
    assert [(robot.name, robot.namespace) for robot in one] == [("husky", "")]
    text = "robots: [{model: husky}, {model: husky}, {model: jackal}, {model: jackal, name: j}]"
    names = [(robot.name, robot.namespace) for robot in loads(text).robots]
    assert names == [(n, n) for n in ("husky_1", "husky_2", "jackal", "j")]


def test_a_namespace_that_is_given_stays():
    text = "robots: [{model: husky, namespace: a}, {model: husky, namespace: ''}]"
    assert [robot.namespace for robot in loads(text).robots] == ["a", ""]


def test_two_robots_of_one_name_are_refused():
    with pytest.raises(ConfigError, match=r"f: robots.1.name: two robots have the name 'a'"):
        loads("robots: [{name: a}, {name: a, model: husky}]", where="f")


@pytest.mark.parametrize("file", ["rover.yaml", "rover.urdf", "rover.xacro", "rover.urdf.xacro"])
def test_a_robot_without_a_name_is_called_like_its_file(file):
    scenario = with_names(Scenario(robots=(RobotEntry(model=f"robots/{file}"),)), "here")
    assert scenario.robots[0].name == "rover"


@pytest.mark.parametrize(
    ("keys", "complaint"),
    [
        ("set: {range: 3}", "range: unknown key (did you mean 'range_min'?)"),
        ("topics: {cloud: a}", "has no output 'cloud'"),
        ("rate_hz: 1.0e+9", "rate_hz must lie between"),
    ],
)
def test_a_sensors_wrong_parameters_are_told_with_file_and_key(tmp_path, keys, complaint):
    file = tmp_path / "mine.yaml"
    sensor = f"{{name: a, model: velodyne-vlp16, {keys}}}"
    file.write_text(f"world: empty\nrobots: [{{model: jackal, sensors: [{sensor}]}}]\n")
    with pytest.raises(ConfigError) as refused:
        load(file)
    assert "mine.yaml: robots.0.sensors.0: sensor 'a'" in str(refused.value)
    assert complaint in str(refused.value)
