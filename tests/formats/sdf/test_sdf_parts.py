"""Shapes, materials, includes, populations, lights and state blocks of SDF."""

import numpy as np
import pytest

from outrider.core.errors import FormatError, OutriderError
from outrider.core.frames import matrix_from_quaternion
from outrider.formats.sdf.read import read_sdf, read_sdf_model
from outrider.world.shapes import Box, Capsule, Cone, Cylinder, Mesh, Plane, Sphere

WORLD = "<sdf version='1.6'><world name='w'>{}</world></sdf>"
BOX = "<geometry><box><size>1 2 3</size></box></geometry>"


@pytest.fixture
def read(tmp_path):
    def reader(body, version="1.9", **more):
        path = tmp_path / "w.sdf"
        path.write_text(f"<sdf version='{version}'><world name='w'>{body}</world></sdf>")
        return read_sdf(path, env={}, **more)

    return reader


def link(read, body, static=True, **more):
    text = f"<model name='m'><static>{int(static)}</static><link name='a'>{body}</link></model>"
    return read(text, **more).world.models[0].links[0]


def shapes(read, *elements, tag="visual"):
    body = "".join(
        f"<{tag} name='v{i}'><geometry>{e}</geometry></{tag}>" for i, e in enumerate(elements)
    )
    found = link(read, body)
    return [g.shape for g in (*found.visuals, *found.colliders)]


def test_simple_shapes_have_the_sizes_of_the_file(read):
    found = shapes(
        read,
        "<box><size>1 2 3</size></box>",
        "<sphere><radius>0.5</radius></sphere>",
        *(
            f"<{k}><radius>0.5</radius><length>2</length></{k}>"
            for k in ("cylinder", "capsule", "cone")
        ),
    )
    assert found == [Box((1, 2, 3)), Sphere(0.5), Cylinder(0.5, 2), Capsule(0.5, 2), Cone(0.5, 2)]


def test_ellipsoids_and_outlines_become_meshes(read):
    ellipsoid, tower = shapes(
        read,
        "<ellipsoid><radii>1 2 3</radii></ellipsoid>",
        "<polyline><point>0 0</point><point>4 0</point><point>4 4</point><point>2 1</point>"
        "<point>0 4</point><height>2</height></polyline>",
    )
    assert isinstance(ellipsoid, Mesh)
    assert np.abs(ellipsoid.vertices).max(axis=0) == pytest.approx([1, 2, 3], rel=0.01)
    area = 0.5 * abs(
        sum(
            a[0] * b[1] - a[1] * b[0]
            for a, b in zip(
                [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)],
                [(4, 0), (4, 4), (2, 1), (0, 4), (0, 0)],
                strict=True,
            )
        )
    )
    a, b, c = (tower.vertices[tower.faces[:, k]] for k in range(3))
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert volume == pytest.approx(2 * area)  # closed, and facing outward


def test_planes_are_drawn_with_an_edge_and_felt_without(read):
    plane = "<plane><normal>0 1 0</normal><size>10 10</size></plane>"
    found = link(
        read,
        f"<visual name='v'><geometry>{plane}</geometry></visual>"
        f"<collision name='c'><geometry>{plane}</geometry></collision>",
    )
    assert found.visuals[0].shape == Plane(10)
    assert found.colliders[0].shape == Plane(2000)
    up = matrix_from_quaternion(found.visuals[0].pose.rotation)[:, 2]
    assert up == pytest.approx([0, 1, 0])
    (sheet,) = shapes(read, "<plane><size>4 2</size></plane>")
    assert np.ptp(sheet.vertices, axis=0) == pytest.approx([4, 2, 0])


def test_a_height_map_has_its_size_height_and_place(read, tmp_path):
    from PIL import Image

    pixels = np.zeros((9, 9), np.uint8)
    pixels[0, 8] = 255  # the first row is north, the last column east
    Image.fromarray(pixels).save(tmp_path / "hill.png")
    shape = "<heightmap><uri>hill.png</uri><size>16 16 4</size><pos>1 2 3</pos></heightmap>"
    found = link(read, f"<collision name='c'><geometry>{shape}</geometry></collision>")
    (ground,) = found.colliders
    assert ground.pose.position == pytest.approx([1, 2, 3])
    assert ground.shape.size == (16, 16)
    assert ground.shape.heights[-1, -1] == pytest.approx(4)
    assert ground.shape.heights[0, 0] == 0


def test_shapes_without_extent_are_dropped_and_negative_ones_refused(read):
    assert shapes(read, "<box><size>0 0 0</size></box>") == []
    with pytest.raises(FormatError, match="a size cannot be negative"):
        shapes(read, "<sphere><radius>-1</radius></sphere>")


def test_friction_bounce_and_stiffness_reach_colliders_and_what_wheels_stand_on(read):
    surface = """<surface><friction><ode/><ode><mu>0.6</mu><mu2>0.3</mu2></ode></friction>
      <bounce><restitution_coefficient>0.4</restitution_coefficient></bounce>
      <contact><ode><kp>1e5</kp><kd>30</kd></ode></contact></surface>"""
    look = "<material><diffuse>1 0 0 1</diffuse></material><transparency>0.25</transparency>"
    found = link(
        read, f"<collision name='c'>{BOX}{surface}</collision><visual name='v'>{BOX}{look}</visual>"
    )
    for geometry in (*found.colliders, *found.visuals):
        material = geometry.material
        assert (material.friction, material.lateral_ratio, material.restitution) == (0.6, 0.5, 0.4)
        assert (material.stiffness, material.damping) == (1e5, 30)
    assert found.visuals[0].material.colour == (1, 0, 0, 0.75)


def test_named_materials_come_from_scripts_and_from_gazebo(read, tmp_path):
    folder = tmp_path / "media" / "materials"
    (folder / "scripts").mkdir(parents=True)
    (folder / "textures").mkdir()
    (folder / "textures" / "oak.png").write_bytes(b"")
    (folder / "scripts" / "wood.material").write_text(
        "material Base\n{ technique { pass { diffuse 0.5 0.25 0 1\n } } }\n"
        "// a comment { \nmaterial Oak : Base {\n technique {\n pass {\n texture_unit {\n"
        "  texture oak.png\n } } } }\n"
    )

    def look(name, uri="<uri>media/materials/scripts</uri>"):
        script = f"<material><script>{uri}<name>{name}</name></script></material>"
        return link(read, f"<visual name='v'>{BOX}{script}</visual>").visuals[0].material

    oak = look("Oak")
    assert oak.texture == str(folder / "textures" / "oak.png")
    assert oak.colour == (0.5, 0.25, 0.0, 1.0)
    assert look("Gazebo/Red", "").colour == (1, 0, 0, 1)
    assert look("Unheard/Of").texture == ""


def test_auto_inertia_is_the_volume_times_the_density(read):
    body = f"<inertial auto='true'/><collision name='c'>{BOX}<density>500</density></collision>"
    inertial = link(read, body, static=False, version="1.11").inertial
    assert inertial.mass == pytest.approx(3000)
    assert inertial.inertia[0, 0] == pytest.approx(3000 / 12 * (4 + 9))


def include(uri, more=""):
    return f"<include><uri>{uri}</uri>{more}</include>"


def make_model(folder, name, body, version="1.9", config=None):
    place = folder / name
    place.mkdir(parents=True)
    lines = config or [(version, "model.sdf")]
    listed = "".join(f"<sdf version='{v}'>{f}</sdf>" for v, f in lines)
    (place / "model.config").write_text(f"<model><name>{name}</name>{listed}</model>")
    for v, file in lines:
        (place / file).write_text(
            f"<sdf version='{v}'><model name='{name}'>{body.replace('FILE', file)}</model></sdf>"
        )


def test_includes_take_name_pose_and_stillness_from_the_world(read, tmp_path):
    box = f"<link name='l'><collision name='c'>{BOX}</collision></link>"
    make_model(tmp_path, "crate", f"<pose>9 9 9 0 0 0</pose>{box}")
    words = "<name>first</name><pose>1 0 0 0 0 0</pose><static>1</static>"
    body = include("model://crate", words) + include("model://crate")
    models = read(body + include("crate/model.sdf", "<name>third</name>")).world.models
    assert [m.name for m in models] == ["first", "crate", "third"]
    assert [m.mobility for m in models] == ["static", "dynamic", "dynamic"]
    assert models[0].pose.position == pytest.approx([1, 0, 0])
    assert models[1].pose.position == pytest.approx([9, 9, 9])


@pytest.mark.parametrize(
    "of", ["model://{}", "https://fuel.gazebosim.org/1.0/openrobotics/models/{}"]
)
def test_gazebo_s_ground_and_sun_are_there_without_gazebo(read, of):
    found = read(include(of.format("ground_plane")) + include(of.format("sun")))
    (ground,), (sun,) = found.world.models, found.world.lights
    assert isinstance(ground.links[0].colliders[0].shape, Plane)
    assert (ground.mobility, sun.kind, sun.direction) == (
        "static",
        "directional",
        (-0.5, 0.1, -0.9),
    )
    assert sorted(note.kind for note in found.log) == ["applied", "applied"]


def test_a_ground_plane_of_the_user_s_own_comes_first(read, tmp_path):
    make_model(tmp_path, "ground_plane", "<static>1</static><link name='mine'/>")
    found = read(include("model://ground_plane"))
    assert found.world.models[0].links[0].name == "mine"
    assert found.notes == ()


def test_a_light_in_a_file_of_its_own_is_included_where_the_world_says(read, tmp_path):
    (tmp_path / "lamp.sdf").write_text(
        "<sdf version='1.6'><light type='point' name='lamp'><pose>1 2 3 0 0 0</pose></light></sdf>"
    )
    placed = include("lamp.sdf", "<pose>4 5 6 0 0 0</pose>")
    lamps = read(include("lamp.sdf") + placed).world.lights
    assert [lamp.position for lamp in lamps] == [(1, 2, 3), (4, 5, 6)]


def test_the_highest_version_we_can_read_is_chosen(read, tmp_path):
    files = [("1.4", "old.sdf"), ("1.10", "new.sdf"), ("1.9", "mid.sdf"), ("1.99", "future.sdf")]
    make_model(tmp_path, "m", "<static>1</static><link name='FILE'/>", config=files)
    assert read(include("model://m")).world.models[0].links[0].name == "new.sdf"


def test_merged_includes_give_their_links_to_the_model(read, tmp_path):
    make_model(tmp_path, "tool", "<link name='grip'><pose>0 0 1 0 0 0</pose></link>")
    body = """<model name='m'><link name='base'><inertial><mass>1</mass></inertial></link>
      <include merge='true'><uri>model://tool</uri><pose>0 0 2 0 0 0</pose></include>
      <joint name='j' type='fixed'><parent>base</parent><child>grip</child></joint></model>"""
    (model,) = read(body).world.models
    assert {k.name for k in model.links} == {"base", "grip"}
    assert model.joints[0].origin.position == pytest.approx([0, 0, 3])


def test_files_that_include_one_another_are_refused(read, tmp_path):
    make_model(tmp_path, "a", include("model://b"))
    make_model(tmp_path, "b", include("model://a"))
    with pytest.raises(FormatError, match=r"include each other in a cycle: .*model.sdf"):
        read(include("model://a"))


def test_what_is_missing_is_named_with_the_places_searched(read, tmp_path):
    mesh = "<visual name='v'><geometry><mesh><uri>{}</uri></mesh></geometry></visual>"
    for uri in ("model://gone/a.dae", "gone.dae", "file://gone.dae"):
        body = f"<model name='m'><link name='a'>{mesh.format(uri)}</link></model>"
        with pytest.raises(FormatError, match=rf"no file '{uri}'; searched .*{tmp_path}"):
            read(body)
        found = read(body, lenient=True)
        assert found.world.models[0].links[0].visuals == ()
        assert [n.kind for n in found.log if "gone" in n.text] == ["missing"]
    with pytest.raises(FormatError, match=r"no model 'model://gone'; searched"):
        read(include("model://gone"))
    assert read(include("model://gone"), lenient=True).world.models == ()
    assert read(include("https://fuel.gazebosim.org/1.0/o/models/x"), lenient=True).notes


def test_nothing_outside_the_folders_is_opened(read):
    mesh = "<visual name='v'><geometry><mesh><uri>{}</uri></mesh></geometry></visual>"
    for uri in ("file:///etc/passwd", "../../../etc/passwd"):
        with pytest.raises(FormatError, match="leaves"):
            read(f"<model name='m'><link name='a'>{mesh.format(uri)}</link></model>")
    with pytest.raises(FormatError, match=r"leaves|there is no"):
        read(include("../../../etc"))


POPULATION = """<population name='p'><model name='rock'><static>1</static><link name='l'>
  <collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision></link>
  </model><pose>10 0 0 0 0 0</pose><box><size>4 2 0.5</size></box><model_count>{count}</model_count>
  <distribution><type>{kind}</type><rows>2</rows><cols>3</cols><step>1 1 0</step></distribution>
  </population>"""


def test_populations_fill_their_area_the_same_way_for_the_same_seed(read):
    def places(kind, count=50, seed=1):
        found = read(POPULATION.format(kind=kind, count=count), seed=seed)
        return np.array([m.pose.position for m in found.world.models])

    for kind in ("random", "uniform"):
        found = places(kind)
        assert len(found) == 50
        assert (np.abs(found - [10, 0, 0]) <= [2, 1, 0.25]).all()
        assert np.array_equal(found, places(kind))
        assert not np.array_equal(found, places(kind, seed=2))
    assert sorted(places("grid")[:, 0]) == pytest.approx([9, 9, 10, 10, 11, 11])
    assert places("linear-x", 4)[:, 0] == pytest.approx([8.5, 9.5, 10.5, 11.5])
    with pytest.raises(FormatError, match="model_count must lie between"):
        places("random", 10**9)


def test_light_sky_weight_and_place_on_earth(read):
    found = read("""<gravity>0 0 -1.62</gravity><scene><ambient>0.1 0.2 0.3 1</ambient>
      <background>0 0 0 1</background><shadows>0</shadows></scene>
      <light name='sun' type='directional'><direction>0 1 -1</direction>
      <diffuse>0.9 0.8 0.7 1</diffuse><cast_shadows>1</cast_shadows></light>
      <light name='lamp' type='point'><pose>1 2 3 0 0 0</pose><attenuation><range>7</range>
      </attenuation></light><spherical_coordinates><latitude_deg>50</latitude_deg>
      <longitude_deg>-97</longitude_deg><elevation>250</elevation></spherical_coordinates>""").world
    assert found.gravity == (0, 0, -1.62)
    assert (found.ambient, found.sky) == ((0.1, 0.2, 0.3), (0, 0, 0))
    sun, lamp = found.lights
    assert (sun.direction, sun.colour, sun.cast_shadows) == ((0, 1, -1), (0.9, 0.8, 0.7), False)
    assert (lamp.kind, lamp.position, lamp.range) == ("point", (1, 2, 3), 7)
    assert (found.origin.latitude_deg, found.origin.altitude_m) == (50, 250)


def test_a_heading_turns_the_world_so_that_x_is_east(read):
    found = read("""<spherical_coordinates><heading_deg>90</heading_deg></spherical_coordinates>
      <model name='m'><static>1</static><pose>1 0 0 0 0 0</pose><link name='l'/></model>""")
    assert found.world.models[0].pose.position == pytest.approx([0, 1, 0])
    assert any("rotated by its heading" in note for note in found.notes)


def test_the_state_block_moves_models_and_loose_links_last(read):
    found = read("""<model name='m'><static>1</static><pose>1 1 1 0 0 0</pose>
        <link name='a'/><link name='b'/></model>
      <model name='old'><static>1</static><link name='l'/></model>
      <state world_name='w'><model name='m'><pose>5 0 0 0 0 1.5707963267948966</pose>
        <link name='b'><pose>5 2 0 0 0 1.5707963267948966</pose></link></model>
        <insertions><model name='new'><static>1</static><link name='l'/></model></insertions>
        <deletions><name>old</name></deletions></state>""")
    model, new = found.world.models
    assert new.name == "new"
    assert model.pose.position == pytest.approx([5, 0, 0])
    joint = next(j for j in model.joints if j.child == "b")
    assert joint.origin.position == pytest.approx([2, 0, 0], abs=1e-12)


def test_sensors_of_standing_models_stand_in_the_world(read):
    found = read("""<model name='mast'><static>1</static><pose>5 0 0 0 0 0</pose><link name='l'>
      <pose>0 0 2 0 0 0</pose><sensor name='scanner' type='gpu_lidar'><pose>0 0 0.1 0 0 0</pose>
      <update_rate>20</update_rate><topic>mast/scan</topic><lidar><scan><horizontal>
      <samples>181</samples><min_angle>-1.5707963</min_angle><max_angle>1.5707963</max_angle>
      </horizontal></scan><range><min>0.2</min><max>12</max></range><noise><stddev>0.02</stddev>
      </noise></lidar></sensor><sensor name='eye' type='camera'/></link></model>""")
    (lidar,) = found.sensors
    assert (lidar.pose.x, lidar.pose.z) == pytest.approx((5, 2.1))
    assert (lidar.rate_hz, lidar.topics) == (20, {"scan": "mast/scan"})
    assert lidar.set["azimuth_to_deg"] == pytest.approx(90, abs=1e-5)
    assert lidar.set["noise"] == [[0.0, 0.02]]
    assert len(found.raw) == 1


def test_a_robot_in_sdf_gets_sensors_and_a_drive(tmp_path):
    wheel = """<link name='{n}_wheel'><pose>0 {y} 0.1 -1.5707963267948966 0 0</pose><inertial>
      <mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
      <collision name='c'><geometry>
      <cylinder><radius>0.1</radius><length>0.05</length></cylinder></geometry></collision></link>
      <joint name='{n}_joint' type='revolute'><parent>base</parent><child>{n}_wheel</child>
      <axis><xyz expressed_in='__model__'>0 1 0</xyz></axis></joint>"""
    wheels = wheel.format(n="left", y=0.3) + wheel.format(n="right", y=-0.3)
    (tmp_path / "bot.sdf").write_text(f"""<sdf version='1.8'><model name='bot'>
      <link name='base'><pose>0 0 0.1 0 0 0</pose><inertial><mass>10</mass></inertial>
      <sensor name='imu' type='imu'><update_rate>200</update_rate></sensor></link>{wheels}
      <plugin filename='gz-sim-diff-drive-system' name='gz::sim::systems::DiffDrive'>
      <left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>
      <wheel_separation>0.6</wheel_separation><wheel_radius>0.1</wheel_radius>
      <max_linear_velocity>1.5</max_linear_velocity><topic>/cmd_vel</topic></plugin></model></sdf>""")
    robot = read_sdf_model(tmp_path / "bot.sdf", env={})
    assert robot.draft["drivetrain"]["left"] == ["left_joint"]
    assert robot.draft["drivetrain"]["track"] == 0.6
    assert robot.draft["limits"] == {"speed": 1.5}
    assert [(s.model, s.link, s.rate_hz) for s in robot.sensors] == [("ideal-imu", "base", 200)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<sdf version='1.6'><world name='w'>", "not well-formed XML"),
        ("<sdf version='3.0'><world name='w'/></sdf>", "version '3.0' is not known"),
        ("<sdf version='new'><world name='w'/></sdf>", "version 'new' is not known"),
        ("<sdf><world name='w'/></sdf>", "version '' is not known"),
        ("<sdf version='1.6'/>", "neither a <world> nor a <model>"),
        ("<robot name='r'/>", "expected an <sdf>"),
        ("<!DOCTYPE s [<!ENTITY a 'b'>]><sdf version='1.6'>&a;</sdf>", "DOCTYPE"),
        (WORLD.format("<model><link name='l'/></model>"), "attribute 'name' is required"),
        (WORLD.format("<model name='m'><pose>1 2</pose></model>"), "expected 6 finite numbers"),
        (WORLD.format("<model name='m'><static>maybe</static></model>"), "expected true or false"),
        (
            WORLD.format("<model name='m'><link name='l'/><link name='l'/></model>"),
            "two links have the name 'l'",
        ),
        (
            WORLD.format(
                "<model name='m'><link name='l'/><joint name='j' type='fixed'>"
                "<parent>l</parent><child>x</child></joint></model>"
            ),
            "no frame 'x'",
        ),
        (WORLD.format("<light name='x' type='torch'/>"), "no light of type 'torch'"),
    ],
)
def test_bad_files_are_one_sentence_with_file_and_line(tmp_path, text, message):
    path = tmp_path / "bad.world"
    path.write_text(text)
    with pytest.raises(OutriderError, match=message) as error:
        read_sdf(path, env={})
    assert "bad.world" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_declaration_after_comments_is_accepted_and_lines_still_count(tmp_path):
    path = tmp_path / "w.world"
    body = "<sdf version='1.4'>\n<world name='w'><model/></world></sdf>"
    path.write_text("<!-- one -->\n<!-- two -->\n<?xml version='1.0'?>\n" + body)
    with pytest.raises(FormatError, match=r"w.world:5: <model>.*attribute 'name' is required"):
        read_sdf(path, env={})


def test_a_sensor_in_a_joint_is_on_the_link_that_the_joint_carries(tmp_path):
    path = tmp_path / "arm.sdf"
    mass = "<inertial><mass>1</mass></inertial>"
    path.write_text(
        f"""<sdf version='1.9'><model name='m'><link name='a'>{mass}</link>
        <link name='b'>{mass}</link><joint name='j' type='fixed'><parent>a</parent><child>b</child>
        <sensor name='wrist' type='force_torque'/></joint></model></sdf>"""
    )
    (entry,) = read_sdf_model(path, env={}).sensors
    assert (entry.name, entry.model, entry.link) == ("wrist", "ideal-force-torque", "b")
