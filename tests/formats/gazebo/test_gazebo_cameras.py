"""Cameras of Gazebo become cameras of ours: picture, lens, limits, topics."""

import numpy as np
import pytest

from outrider.core.errors import FormatError
from outrider.formats.urdf.description import read_robot_description
from outrider.scenarios.build import build
from outrider.scenarios.load import loads

URDF = """<robot name="r"><link name="eye"/><gazebo reference="eye"><sensor name="s" type="{}">
<update_rate>12</update_rate>{}</sensor></gazebo></robot>"""
CAMERA = """<camera{}><horizontal_fov>1.2</horizontal_fov><image><width>80</width>
<height>60</height><format>{}</format></image><clip><near>0.2</near><far>30</far></clip>
<noise><type>gaussian</type><mean>0</mean><stddev>0.02</stddev></noise>{}</camera>"""
PLAIN = CAMERA.format("", "R8G8B8", "")


@pytest.fixture
def read(tmp_path):
    def reader(kind, body):
        path = tmp_path / "r.urdf"
        path.write_text(URDF.format(kind, body))
        return read_robot_description(path, env={})

    return reader


def test_a_camera_keeps_its_figures_and_the_topics_of_its_plugin(read):
    lens = (
        "<distortion><k1>-0.2</k1><k2>0.03</k2><k3>0.5</k3><p1>1e-3</p1><p2>2e-3</p2></distortion>"
    )
    plugin = """<plugin name="c" filename="libgazebo_ros_camera.so"><cameraName>front</cameraName>
      <imageTopicName>image_raw</imageTopicName><frameName>front_optical</frameName>
      <cameraInfoTopicName>/lens</cameraInfoTopicName></plugin>"""
    (entry,) = read("camera", CAMERA.format("", "L8", lens) + plugin).sensors
    assert (entry.model, entry.link, entry.rate_hz) == ("camera", "eye", 12)
    assert entry.topics == {"image": "front/image_raw", "camera_info": "lens"}
    assert entry.set["distortion"] == [-0.2, 0.03, 1e-3, 2e-3, 0.5]  # k1 k2 p1 p2 k3
    assert entry.set["hfov_deg"] == pytest.approx(np.degrees(1.2))
    told = {key: entry.set[key] for key in ("width", "height", "near", "far", "noise", "encoding")}
    assert told == {
        "width": 80,
        "height": 60,
        "near": 0.2,
        "far": 30,
        "noise": 0.02,
        "encoding": "mono8",
    }


def test_a_depth_camera_gives_points_under_the_names_of_its_plugin(read):
    plugin = """<plugin name="d" filename="libgazebo_ros_openni_kinect.so">
      <cameraName>k</cameraName><imageTopicName>rgb/image_raw</imageTopicName>
      <pointCloudCutoff>0.5</pointCloudCutoff>
      <depthImageTopicName>depth/image_raw</depthImageTopicName>
      <pointCloudTopicName>depth/points</pointCloudTopicName></plugin>"""
    (entry,) = read("depth", PLAIN + plugin).sensors
    assert entry.model == "depth-camera"
    assert (entry.set["depth_min"], entry.set["depth_max"]) == (0.5, 30)
    assert entry.topics == {
        "image": "k/rgb/image_raw",
        "depth": "k/depth/image_raw",
        "points": "k/depth/points",
        "camera_info": "k/camera_info",  # the plugin's own names for what the file leaves open
        "depth_info": "k/depth/camera_info",
    }


def test_a_plugin_that_only_names_its_camera_speaks_below_that_name(read):
    plugin = """<plugin name="c" filename="libgazebo_ros_camera.so"><ros>
      <remapping>eye/image_raw:=picture</remapping>
      <remapping>camera_info:=eye/lens</remapping></ros>
      <camera_name>eye</camera_name><min_depth>0.3</min_depth><max_depth>7</max_depth></plugin>"""
    (entry,) = read("camera", PLAIN + plugin).sensors
    assert entry.topics == {"image": "picture", "camera_info": "eye/lens"}
    (deep,) = read("depth", PLAIN + plugin).sensors
    assert (deep.set["depth_min"], deep.set["depth_max"]) == (0.3, 7.0)
    assert deep.topics["depth"] == "eye/depth/image_raw"
    assert deep.topics["points"] == "eye/points"


def test_a_lens_off_its_sensor_sees_from_where_it_is(read):
    lens = "<pose>0 0 0.2 0 0.3 0</pose><optical_frame_id>seen</optical_frame_id>"
    lens += "<camera_info_topic>lens/info</camera_info_topic>"
    body = "<topic>head/image</topic>" + PLAIN.replace("<camera>", "<camera>" + lens)
    (entry,) = read("camera", body).sensors
    assert entry.pose.z == pytest.approx(0.2)
    assert entry.pose.pitch_deg == pytest.approx(np.degrees(0.3))
    assert entry.set["optical_frame"] == "seen"
    assert entry.topics == {"image": "head/image", "camera_info": "lens/info"}


def test_gz_cameras_speak_beside_their_topic(read):
    (colour,) = read("camera", "<topic>head/image</topic>" + PLAIN).sensors
    assert colour.topics == {"image": "head/image", "camera_info": "head/camera_info"}
    (both,) = read("rgbd_camera", "<topic>head</topic>" + PLAIN).sensors
    assert both.topics["depth"] == "head/depth_image"


def test_two_lenses_side_by_side_are_a_stereo_camera(read):
    pair = CAMERA.format(' name="left"', "R8G8B8", "<pose>0 0.07 0 0 0 0</pose>")
    pair += CAMERA.format(' name="right"', "R8G8B8", "<pose>0 -0.05 0 0 0 0</pose>")
    (entry,) = read("multicamera", pair).sensors
    assert entry.model == "stereo-camera"
    assert entry.set["baseline"] == pytest.approx(0.12)
    above = pair.replace("0 -0.05 0", "0 -0.05 0.1")
    found = read("multicamera", above)
    assert found.sensors == ()
    assert len(found.raw) == 1
    assert any("not side by side" in note for note in found.notes)


def test_a_camera_that_cannot_be_is_refused_or_left_out(read):
    with pytest.raises(FormatError, match="cannot be"):
        read("camera", PLAIN.replace("<far>30", "<far>0.1"))
    for bad in (PLAIN.replace("<width>80", "<width>80000"), PLAIN.replace(">1.2<", ">3.1<"), ""):
        assert read("camera", bad).sensors == ()


def test_the_cameras_of_the_true_car_take_pictures(shared_data):
    path = shared_data / "autominy_car_description/urdf/car.xacro"
    scenario = loads(f"world: empty\nrobots: [{{model: {path}, args: {{car_name: car}}}}]\n")
    simulation = build(scenario)
    box = simulation.bus.subscribe("/sensors/camera/color/image_raw")
    simulation.run(0.25)
    assert box.latest is not None
    picture = box.latest[1]
    simulation.close()
    assert (picture.width, picture.height, picture.encoding) == (640, 480, "rgb8")
    assert np.std(picture.data) > 0


def frames_of(path):
    """Return the frame of a robot's pictures, and every static frame as often as it is told."""
    sim = build(loads(f"{{name: t, world: empty, robots: [{{model: {path}, pose: {{z: 1}}}}]}}"))
    (camera,) = sim.sensors
    told = sim.bus.subscribe("/tf_static").poll()[1]
    return camera.sensor.frame_id, [t.child_frame_id for t in told.transforms]


@pytest.mark.parametrize(
    ("on", "told", "frame"),
    [
        ("eye", "<frameName>eye_optical</frameName>", "eye_optical"),  # a link of the robot
        ("eye", "", "eye_optical"),  # what would be made up is a link already
        ("eye_optical", "", "eye_optical"),
        ("eye", "<frameName>lens</frameName>", "lens"),  # nobody else's
    ],
)
def test_pictures_are_in_the_frame_of_the_file_and_it_is_told_once(tmp_path, on, told, frame):
    wheel = """<link name="{0}_wheel"><collision><geometry><cylinder radius="0.1" length="0.05"/>
    </geometry></collision><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01"/>
    </inertial></link><joint name="{0}" type="continuous"><parent link="base"/>
    <child link="{0}_wheel"/><origin xyz="0 {1} 0" rpy="-1.5708 0 0"/><axis xyz="0 0 1"/></joint>"""
    urdf = f"""<robot name="r"><link name="base"><inertial><mass value="5"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>{wheel.format("left", 0.2)}
    {wheel.format("right", -0.2)}<link name="eye"/><link name="eye_optical"/>
    <joint name="a" type="fixed"><parent link="base"/><child link="eye"/></joint>
    <joint name="b" type="fixed"><parent link="eye"/><child link="eye_optical"/>
    <origin rpy="-1.5708 0 -1.5708"/></joint>
    <gazebo reference="{on}"><sensor name="s" type="camera">
    {PLAIN}<plugin name="c" filename="libgazebo_ros_camera.so"><cameraName>front</cameraName>
    <imageTopicName>image_raw</imageTopicName>{told}</plugin></sensor></gazebo></robot>"""
    path = tmp_path / "r.urdf"
    path.write_text(urdf)
    found, static = frames_of(path)
    assert found == frame
    assert static.count(frame) == 1
    assert not any(name.endswith("optical_optical") for name in static)


def test_compressed_images_are_below_the_image_that_a_file_names(read):
    from outrider.sensors.catalogue import plan_sensor

    plugin = """<plugin name="c" filename="libgazebo_ros_camera.so"><cameraName>front</cameraName>
      <imageTopicName>picture</imageTopicName></plugin>"""
    (entry,) = read("camera", PLAIN + plugin).sensors
    assert plan_sensor(entry, "test").topics["image_compressed"] == "front/picture/compressed"
