"""Sensors and plugins of Gazebo in URDF files, as ours, and robots drafted from them."""

import pytest

from outrider.core.structure import from_data
from outrider.formats.urdf.description import read_robot_description
from outrider.sensors.catalogue import plan_sensor
from outrider.sensors.lidar.beams import make_beams
from outrider.vehicles.robot import make_robot
from outrider.vehicles.spec import RobotSpec

WHEEL = """<link name="{n}"><inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0"
  iyy="0.01" iyz="0" izz="0.01"/></inertial>
  <collision><origin rpy="1.5707963267948966 0 0"/><geometry>
  <cylinder radius="0.1" length="0.05"/></geometry></collision></link>
  <joint name="{n}_joint" type="continuous"><parent link="{p}"/><child link="{n}"/>
  <origin xyz="{x} {y} 0"/><axis xyz="0 {a} 0"/></joint>"""
BASE = """<link name="base"><inertial><mass value="8"/><inertia ixx="1" ixy="0" ixz="0" iyy="1"
  iyz="0" izz="1"/></inertial></link>"""


def wheel(name, x, y, axis=1, parent="base"):
    return WHEEL.format(n=name, x=x, y=y, a=axis, p=parent)


IMU = """<sensor type="imu" name="i"><imu><angular_velocity><x><noise><stddev>0.01</stddev></noise>
  </x></angular_velocity></imu></sensor>"""
SONAR = """<sensor type="sonar" name="u"><sonar><min>0.1</min><max>4</max><radius>0.4</radius>
  </sonar></sensor>"""
TWO_WHEELS = wheel("left", 0, 0.3) + wheel("right", 0, -0.3)


@pytest.fixture
def read(tmp_path):
    def reader(body, wheels=TWO_WHEELS):
        path = tmp_path / "bot.urdf"
        path.write_text(f'<robot name="bot">{BASE}{wheels}{body}</robot>')
        return read_robot_description(path, env={})

    return reader


def sensors(read, body, link="base"):
    return read(f'<gazebo reference="{link}">{body}</gazebo>').sensors


def test_every_sensor_that_is_mapped_can_be_made(read):
    ray = """<sensor type="{}" name="s"><update_rate>30</update_rate><pose>0.1 0 0.2 0 0 1</pose>
      <ray><scan><horizontal><samples>90</samples><min_angle>-1</min_angle><max_angle>1</max_angle>
      </horizontal><vertical><samples>{}</samples><min_angle>-0.2</min_angle>
      <max_angle>0.2</max_angle></vertical></scan><range><min>0.1</min><max>20</max>
      <resolution>0.01</resolution></range><noise><stddev>0.02</stddev></noise></ray></sensor>"""
    bodies = [
        *(ray.format(kind, 1) for kind in ("ray", "gpu_ray", "lidar", "gpu_lidar")),
        ray.format("ray", 16),
        IMU,
        SONAR,
        '<sensor type="navsat" name="g"/>',
        '<sensor type="gps" name="g"/>',
        '<sensor type="contact" name="c"/>',
        '<sensor type="magnetometer" name="m"/>',
        '<sensor type="air_pressure" name="p"/>',
        '<sensor type="altimeter" name="a"/>',
    ]
    for body in bodies:
        (entry,) = sensors(read, body)
        assert entry.link == "base"
        plan_sensor(entry, "test")
    flat, deep = sensors(read, bodies[0])[0], sensors(read, bodies[4])[0]
    assert (flat.rate_hz, flat.pose.x, flat.pose.z) == (30, 0.1, 0.2)
    assert flat.set["samples"] == 90
    assert len(deep.set["elevations_deg"]) == 16
    assert sensors(read, IMU)[0].set["gyroscope"]["noise_sigma"] == 0.01


FORCE_TORQUE = """<sensor type="force_torque" name="ft"><pose>0 0 0.1 0 0 0</pose>
  <update_rate>50</update_rate><force_torque><frame>{}</frame>
  <measure_direction>parent_to_child</measure_direction>
  <force><x><noise><stddev>0.5</stddev></noise></x></force></force_torque></sensor>"""


@pytest.mark.parametrize(("frame", "height"), [("child", 0.0), ("sensor", 0.1)])
def test_a_force_torque_sensor_of_a_joint_is_on_the_link_that_the_joint_carries(
    read, frame, height
):
    (entry,) = sensors(read, FORCE_TORQUE.format(frame), link="left_joint")
    assert (entry.model, entry.link, entry.rate_hz) == ("ideal-force-torque", "left", 50)
    assert entry.pose.z == height
    made = plan_sensor(entry, "test").parameters
    assert (made.force.noise_sigma, made.measure_direction) == (0.5, "parent_to_child")


def test_a_force_torque_sensor_in_no_joint_is_told(read):
    robot = read(f'<gazebo reference="base">{FORCE_TORQUE.format("child")}</gazebo>')
    assert robot.sensors == ()
    assert any("in no joint" in note for note in robot.notes)


def test_the_force_torque_plugin_of_ros_names_its_joint(read):
    plugin = """<gazebo><plugin name="ft" filename="libgazebo_ros_ft_sensor.so">
      <updateRate>200</updateRate><topicName>wheel/wrench</topicName><gaussianNoise>0.2</gaussianNoise>
      <jointName>{}</jointName></plugin></gazebo>"""
    (entry,) = read(plugin.format("right_joint")).sensors
    assert (entry.link, entry.rate_hz, entry.topics) == ("right", 200, {"wrench": "wheel/wrench"})
    assert plan_sensor(entry, "test").parameters.torque.noise_sigma == 0.2
    assert read(plugin.format("gone")).sensors == ()


def test_barometers_keep_their_noise(read):
    noise = "<noise><stddev>3</stddev></noise>"
    spec = f"<air_pressure><pressure>{noise}</pressure></air_pressure>"
    (entry,) = sensors(read, f'<sensor type="air_pressure" name="p">{spec}</sensor>')
    assert plan_sensor(entry, "test").parameters.pressure.noise_sigma == 3.0


def test_topics_and_frames_come_from_the_plugin_of_a_sensor(read):
    body = """<sensor type="gpu_ray" name="front"><ray><scan><horizontal><samples>10</samples>
      <min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan></ray>
      <plugin name="p" filename="libgazebo_ros_gpu_laser.so"><topicName>/front/scan</topicName>
      <frameName>front_laser</frameName></plugin></sensor>"""
    (entry,) = sensors(read, body)
    assert entry.topics == {"scan": "front/scan"}
    assert entry.frame_id == "front_laser"
    (known,) = sensors(read, body.replace("front_laser", "left"))
    assert known.frame_id == ""  # a link's name would be a second frame of that name
    modern = body.replace(
        "<topicName>/front/scan</topicName>", "<ros><remapping>~/out:=scan2</remapping></ros>"
    )
    assert sensors(read, modern)[0].topics == {"scan": "scan2"}


def test_unknown_plugins_sensors_and_tags_are_kept_and_told_once(read):
    plugin = (
        '<gazebo><plugin name="p{}" filename="libwarp_drive.so"><core>9</core></plugin></gazebo>'
    )
    tag = '<gazebo reference="left"><glow>1</glow></gazebo>'
    robot = read(
        plugin.format(1)
        + plugin.format(2)
        + tag
        + tag
        + '<gazebo reference="base"><sensor type="rfid" name="r"/></gazebo>'
    )
    told = [str(note) for note in robot.log if "warp_drive" in note.text]
    assert len(told) == 1
    assert told[0].endswith("(2 times)")
    assert sum("<glow>" in str(note) for note in robot.log) == 1
    assert sum("<core>9</core>" in text for text in robot.raw) == 2
    assert any('type="rfid"' in text for text in robot.raw)
    assert robot.sensors == ()


def test_a_sensor_of_a_link_that_is_not_there_is_told(read):
    robot = read('<gazebo reference="gone"><sensor type="imu" name="i"/></gazebo>')
    assert robot.sensors == ()
    assert any("a link 'gone' that is not there" in note for note in robot.notes)


def test_a_diff_drive_plugin_says_how_the_robot_drives(read):
    robot = read("""<gazebo><plugin name="d" filename="libgazebo_ros_diff_drive.so">
      <left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>
      <wheel_separation>0.61</wheel_separation><wheel_diameter>0.22</wheel_diameter>
      <max_wheel_torque>7</max_wheel_torque><max_wheel_acceleration>1</max_wheel_acceleration>
      <odometry_frame>way</odometry_frame><publish_odom_tf>false</publish_odom_tf>
      <covariance_x>0.2</covariance_x><command_topic>drive/cmd</command_topic></plugin></gazebo>""")
    drive = robot.draft["drivetrain"]
    assert (drive["track"], drive["wheel_radius"]) == (0.61, 0.11)
    assert robot.draft["motor"]["torque_nm"] == 7
    assert robot.draft["limits"]["acceleration"] == 1
    turning = robot.draft["limits"]["yaw_acceleration"]
    assert turning == pytest.approx(2 / 0.6, abs=1e-3)  # the wheels are 0.6 m apart
    assert robot.draft["odometry"] == {"frame": "way", "publish_tf": False}
    assert robot.draft["topics"] == {"cmd_vel": "drive/cmd"}
    assert any(note.endswith("left out: covariance_x 0.2") for note in robot.notes)


def test_the_reference_of_a_gps_is_told_to_belong_to_the_world(read):
    robot = read("""<gazebo><plugin name="g" filename="libhector_gazebo_ros_gps.so">
      <bodyName>base</bodyName><referenceLatitude>49.9</referenceLatitude></plugin></gazebo>""")
    told = "left out: referenceLatitude 49.9; a world's 'origin' says where on Earth it is"
    assert any(note.endswith(told) for note in robot.notes)


@pytest.mark.parametrize("half", [1.5, 3.14, 3.141592653589793])
def test_a_fan_has_both_of_its_ends_as_in_gazebo(read, half):
    fan = f"""<sensor type="ray" name="l"><ray><scan><horizontal><samples>360</samples>
      <min_angle>-{half}</min_angle><max_angle>{half}</max_angle></horizontal></scan></ray></sensor>"""
    (entry,) = sensors(read, fan)
    ready = plan_sensor(entry, "test")
    azimuths = make_beams(ready.parameters, ready.rate_hz).azimuth
    assert len(azimuths) == 360
    assert azimuths[0] == pytest.approx(-half)
    assert azimuths[-1] == pytest.approx(half, abs=1e-7)


def made(robot):
    spec = from_data(RobotSpec, {**robot.draft, "urdf": "bot.urdf"}, "bot")
    return make_robot(spec, robot.model)


def test_without_a_plugin_wheels_are_found_by_axle_and_shape(read):
    four = "".join(
        wheel(f"w{i}", x, y)
        for i, (x, y) in enumerate([(0.2, 0.3), (-0.2, 0.3), (0.2, -0.3), (-0.2, -0.3)])
    )
    robot = read("", four)
    drive = robot.draft["drivetrain"]
    assert (drive["left"], drive["right"]) == (["w0_joint", "w1_joint"], ["w2_joint", "w3_joint"])
    assert drive["track"] == pytest.approx(0.6)
    assert drive["track_multiplier"] == pytest.approx(1 + (0.2 / 0.3) ** 2, rel=1e-3)
    assert set(made(robot).wheels) == {"w0_joint", "w1_joint", "w2_joint", "w3_joint"}


def test_axles_that_point_to_the_right_are_turned_round(read):
    robot = read("", wheel("left", 0, 0.3) + wheel("right", 0, -0.3, axis=-1))
    assert [j.axis for j in robot.model.joints] == [(0.0, 1.0, 0.0)] * 2
    assert any("the axle direction was reversed for right_joint" in note for note in robot.notes)


def test_steered_wheels_make_a_car(read):
    steer = """<link name="{n}_hub"><inertial><mass value="0.1"/><inertia ixx="0.001" ixy="0"
      ixz="0" iyy="0.001" iyz="0" izz="0.001"/></inertial></link>
      <joint name="{n}_steer" type="revolute">
      <parent link="base"/><child link="{n}_hub"/><origin xyz="0.5 {y} 0"/><axis xyz="0 0 1"/>
      <limit lower="-0.5" upper="0.5" effort="1" velocity="1"/></joint>"""
    front = "".join(
        steer.format(n=n, y=y) + wheel(n, 0, 0, parent=f"{n}_hub")
        for n, y in (("fl", 0.25), ("fr", -0.25))
    )
    robot = read("", front + wheel("rl", 0, 0.3) + wheel("rr", 0, -0.3))
    drive = robot.draft["drivetrain"]
    assert drive["type"] == "ackermann"
    assert (drive["steer_left"], drive["steer_right"]) == ("fl_steer", "fr_steer")
    assert drive["driven"] == ["rl_joint", "rr_joint"]
    assert (drive["wheelbase"], drive["steer_track"], drive["max_steering_rad"]) == (0.5, 0.5, 0.5)
    assert robot.draft["idle_wheels"] == ["fl_joint", "fr_joint"]
    made(robot)


def test_what_has_no_wheels_on_both_sides_is_no_robot(read):
    assert read("", "").draft is None
    assert read("", wheel("only", 0, 0.3)).draft is None


def test_an_axle_that_is_turned_round_keeps_its_limits_in_place(read):
    stops = wheel("right", 0, -0.3, axis=-1).replace("continuous", "revolute")
    stops = stops.replace("<axis", '<limit lower="-1" upper="3" effort="1" velocity="1"/><axis')
    robot = read(
        """<gazebo><plugin name="d" filename="libgazebo_ros_diff_drive.so"><left_joint>left_joint
        </left_joint><right_joint>right_joint</right_joint></plugin></gazebo>""",
        wheel("left", 0, 0.3) + stops,
    )
    right = next(j for j in robot.model.joints if j.name == "right_joint")
    assert right.axis == pytest.approx((0, 1, 0))
    assert (right.lower, right.upper) == (-3, 1)


def test_topics_that_ros_2_remaps_are_called_so(read):
    robot = read(
        """<gazebo><plugin name="d" filename="libgazebo_ros_diff_drive.so"><ros>
      <remapping>cmd_vel:=go</remapping><remapping>odom:=wheels/odom</remapping></ros>
      <left_joint>left_joint</left_joint><right_joint>right_joint</right_joint></plugin>
      <plugin name="t" filename="libgazebo_ros_p3d.so"><bodyName>base</bodyName>
      <topicName>truth</topicName><gaussianNoise>0.01</gaussianNoise></plugin></gazebo>"""
    )
    names = {"cmd_vel": "go", "odometry": "wheels/odom", "ground_truth": "truth"}
    assert robot.draft["topics"] == names
    assert any(note.endswith("left out: gaussianNoise 0.01") for note in robot.notes)


@pytest.mark.parametrize("prefix", ["gz-sim-", "gz-sim9-", "libignition-gazebo6-"])
def test_the_version_in_a_systems_name_does_not_matter(read, prefix):
    robot = read(
        f"""<gazebo><plugin name="d" filename="{prefix}diff-drive-system">
      <left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>
      <topic>go</topic></plugin></gazebo>"""
    )
    assert robot.draft["topics"] == {"cmd_vel": "go"}


SCANNER = """<gazebo reference="base"><sensor type="ray" name="{0}"><ray><scan><horizontal>
  <samples>9</samples><min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan></ray>
  <plugin name="p" filename="libgazebo_ros_ray_sensor.so"><ros><namespace>{1}</namespace>
  <remapping>~/out:={2}</remapping></ros></plugin></sensor></gazebo>"""


@pytest.mark.parametrize(
    ("front", "rear", "driving", "command", "scans"),
    [
        ("/front", "/rear", "/", "go", ["front/scan", "rear/scan"]),
        ("/bot/front", "/bot/rear", "/bot", "go", ["front/scan", "rear/scan"]),
        ("/bot", "/bot", "/bot", "go", ["scan", "scan"]),
        ("/bot", "/other", "/bot", "bot/go", ["bot/scan", "other/scan"]),
    ],
)
def test_topics_lie_in_the_namespaces_of_their_plugins_below_the_robots(
    read, front, rear, driving, command, scans
):
    drive = f"""<gazebo><plugin name="d" filename="libgazebo_ros_diff_drive.so">
      <robotNamespace>{driving}</robotNamespace><commandTopic>go</commandTopic>
      <leftJoint>left_joint</leftJoint><rightJoint>right_joint</rightJoint></plugin></gazebo>"""
    scanners = SCANNER.format("front", front, "scan") + SCANNER.format("rear", rear, "scan")
    robot = read(drive + scanners + SCANNER.format("top", front, "/top/scan"))
    assert robot.draft["topics"]["cmd_vel"] == command
    assert [entry.topics["scan"] for entry in robot.sensors] == [*scans, "top/scan"]


def test_what_a_sensor_plugin_asks_for_in_vain_is_told(read):
    plugin = """<gazebo><plugin name="i" filename="libhector_gazebo_ros_imu.so">
      <bodyName>base</bodyName><topicName>imu</topicName><accelDrift>0.1 0.1 0.1</accelDrift>
      <rpyOffset>0 0 0</rpyOffset><accelOffset>0.5 0 0</accelOffset></plugin></gazebo>"""
    told = [note for note in read(plugin).notes if "left out" in note]
    assert [note.rpartition(": ")[2] for note in told] == ["accelOffset 0.5 0 0"]


@pytest.mark.parametrize(
    ("tags", "rates", "odometry", "told"),
    [
        ("<update_rate>100</update_rate>", {"odometry": 100.0}, {}, []),
        ("<updateRate>5000</updateRate>", {"odometry": 400.0}, {}, ["odometry: 5000 Hz were low"]),
        (
            """<odom_publish_frequency>20</odom_publish_frequency><frame_id>o</frame_id>
            <child_frame_id>base</child_frame_id>""",
            {"odometry": 20.0},
            {"frame": "o", "child_frame": "base"},
            [],
        ),
        (
            "<odometrySource>world</odometrySource><publish_odom>0</publish_odom>",
            {},
            {},
            ["left out: odometrySource world, publish_odom 0"],
        ),
        (
            "<odometry_source>0</odometry_source><publish_odom>true</publish_odom>",
            {},
            {},
            [],
        ),
    ],
)
def test_what_a_drive_plugin_says_of_odometry_is_followed_or_told(
    read, tags, rates, odometry, told
):
    robot = read(
        f"""<gazebo><plugin name="d" filename="libgazebo_ros_diff_drive.so">{tags}
      <leftJoint>left_joint</leftJoint><rightJoint>right_joint</rightJoint></plugin></gazebo>"""
    )
    assert robot.draft.get("rates", {}) == rates
    assert robot.draft.get("odometry", {}) == odometry
    words = [note for note in robot.notes if "left out" in note or "Hz" in note]
    assert len(words) == len(told)
    assert all(part in note for part, note in zip(told, words, strict=True))


@pytest.mark.parametrize(("rate", "told"), [("50.0", False), ("0", False), ("20", True)])
def test_the_rate_of_a_topic_that_every_robot_has_is_told(read, rate, told):
    robot = read(
        f"""<gazebo><plugin name="t" filename="libgazebo_ros_p3d.so"><bodyName>base</bodyName>
      <updateRate>{rate}</updateRate></plugin></gazebo>"""
    )
    sentence = "its rate of 20 Hz; 'rates: {ground_truth: 20}' in the robot's file"
    assert any(sentence in note for note in robot.notes) == told


def test_the_rate_of_a_planar_move_is_told(read):
    robot = read(
        """<gazebo><plugin name="m" filename="libgazebo_ros_planar_move.so">
      <odometryRate>20</odometryRate></plugin></gazebo>"""
    )
    assert any("left out of gazebo_ros_planar_move: odometryRate" in n for n in robot.notes)
