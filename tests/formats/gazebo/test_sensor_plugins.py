"""What the plugins of Gazebo's sensors say counts too, and what cannot be had is told."""

import math

import pytest

from outrider.formats.urdf.description import read_robot_description
from outrider.sensors.catalogue import plan_sensor

ROBOT = """<robot name="bot"><link name="base"><inertial><mass value="8"/><inertia ixx="1" ixy="0"
  ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>{}</robot>"""
RAYS = """<sensor type="ray" name="r"><update_rate>20</update_rate><ray><scan><horizontal>
  <samples>{n}</samples>{more}<min_angle>-0.2</min_angle><max_angle>0.2</max_angle></horizontal>
  <vertical><samples>{m}</samples><min_angle>-0.1</min_angle><max_angle>0.1</max_angle></vertical>
  </scan><range><min>0.1</min><max>40</max></range><noise><stddev>0.03</stddev></noise></ray>
  {plugin}</sensor>"""


@pytest.fixture
def read(tmp_path):
    def reader(body):
        path = tmp_path / "bot.urdf"
        path.write_text(ROBOT.format(body))
        return read_robot_description(path, env={})

    return reader


@pytest.fixture
def sensor(read):
    def reader(body):
        (entry,) = read(f'<gazebo reference="base">{body}</gazebo>').sensors
        return entry, plan_sensor(entry, "test")

    return reader


def rays(plugin="", columns=5, rows=5, more=""):
    return RAYS.format(n=columns, m=rows, plugin=plugin, more=more)


RANGE = """<plugin name="p" filename="libgazebo_ros_range.so"><topicName>sonar/front</topicName>
  <gaussianNoise>0.04</gaussianNoise><radiation>ultrasound</radiation><fov>0.4</fov></plugin>"""
RANGE_2 = """<plugin name="p" filename="libgazebo_ros_ray_sensor.so"><ros>
  <remapping>~/out:=sonar/front</remapping></ros>
  <output_type>sensor_msgs/Range</output_type></plugin>"""


@pytest.mark.parametrize(("plugin", "noise"), [(RANGE, 0.05), (RANGE_2, 0.03)])
def test_rays_that_a_plugin_tells_as_one_range_are_a_ranger(sensor, plugin, noise):
    entry, plan = sensor(rays(plugin))
    assert (entry.model, entry.topics) == ("sonar", {"range": "sonar/front"})
    aims = {(cone.azimuth_deg, cone.elevation_deg) for cone in plan.parameters.cones}
    assert len(aims) == 25  # exactly those of the file: a round cone would see the ground
    assert max(aims) == pytest.approx((math.degrees(0.2), math.degrees(0.1)))
    assert min(aims) == pytest.approx((-math.degrees(0.2), -math.degrees(0.1)))
    assert (plan.parameters.min_range, plan.parameters.max_range) == (0.1, 40)
    assert plan.parameters.noise == pytest.approx(noise)


def test_the_message_that_a_plugin_makes_of_rays_is_made_here(sensor):
    plugin = "<plugin name='p' filename='libgazebo_ros_ray_sensor.so'><output_type>{}</output_type>"
    cloud, scan = (
        plugin.format(f"sensor_msgs/{kind}") + "</plugin>" for kind in ("PointCloud2", "LaserScan")
    )
    assert sensor(rays(cloud, rows=1))[1].parameters.outputs == ("points",)
    assert sensor(rays(rows=1))[1].parameters.outputs == ("scan",)
    flat = sensor(rays(scan, rows=5))[1].parameters
    assert (flat.outputs, flat.scan_ring) == (("scan",), 2)


def test_a_velodyne_plugin_narrows_the_range_and_adds_noise(sensor):
    plugin = """<plugin name="v" filename="libgazebo_ros_velodyne_laser.so">
      <topicName>points</topicName><min_range>0.9</min_range><max_range>30</max_range>
      <gaussianNoise>0.04</gaussianNoise></plugin>"""
    entry, plan = sensor(rays(plugin, columns=90))
    assert entry.topics == {"points": "points"}
    assert (plan.parameters.range_min, plan.parameters.range_max) == (0.9, 30)
    assert plan.parameters.noise[0][1] == pytest.approx(0.05)


def test_the_resolution_of_a_scan_multiplies_its_samples(sensor):
    more = "<resolution>2</resolution>"
    assert sensor(rays(columns=90, rows=1, more=more))[1].parameters.samples == 180


IMU = """<sensor type="imu" name="i">{}<plugin name="p" filename="libgazebo_ros_imu_sensor.so">
  <topicName>imu</topicName><bodyName>base</bodyName><updateRateHZ>33</updateRateHZ>
  <gaussianNoise>0.4</gaussianNoise><xyzOffset>0 0 0</xyzOffset>
  <rpyOffset>0 0 1.5</rpyOffset></plugin></sensor>"""


def test_the_rate_and_noise_of_an_imu_plugin_count_and_its_offset_is_told(read):
    robot = read(f'<gazebo reference="base">{IMU.format("")}</gazebo>')
    (entry,) = robot.sensors
    assert entry.rate_hz == 33
    assert entry.set["gyroscope"]["noise_sigma"] == entry.set["accelerometer"]["noise_sigma"] == 0.4
    (told,) = [note for note in robot.notes if "left out" in note]
    assert told.endswith("left out: rpyOffset 0 0 1.5")
    slow = IMU.format("<update_rate>10</update_rate>")
    assert read(f'<gazebo reference="base">{slow}</gazebo>').sensors[0].rate_hz == 10


def test_the_noise_of_older_imus_and_biases_are_read(sensor):
    older = """<sensor type="imu" name="i"><imu><noise><type>gaussian</type><rate><mean>0</mean>
      <stddev>2e-4</stddev><bias_mean>3e-6</bias_mean><bias_stddev>4e-6</bias_stddev></rate>
      <accel><mean>0.1</mean><stddev>0.017</stddev></accel></noise></imu></sensor>"""
    _, plan = sensor(older)
    assert plan.parameters.gyroscope.noise_sigma == 2e-4
    assert plan.parameters.gyroscope.turn_on_sigma == pytest.approx(5e-6)
    assert plan.parameters.accelerometer.noise_sigma == 0.017
    assert plan.parameters.accelerometer.offset == (0.1, 0.1, 0.1)


def test_axes_of_different_noise_are_told_and_a_magnetometer_has_its_own(read, sensor):
    axis = "<{0}><noise type='gaussian'><stddev>{1}</stddev></noise></{0}>"
    field = axis.format("x", 1e-7) + axis.format("z", 1e-7)
    _, plan = sensor(
        f'<sensor type="magnetometer" name="m"><magnetometer>{field}</magnetometer></sensor>'
    )
    assert plan.parameters.magnetometer.noise_sigma == 1e-7
    turning = "<imu><angular_velocity>{}</angular_velocity></imu>"
    turning = turning.format(axis.format("x", 0.1) + axis.format("z", 0.2))
    robot = read(
        f"<gazebo reference='base'><sensor type='imu' name='i'>{turning}</sensor></gazebo>"
    )
    assert any("axes differs; 0.1 is used" in note for note in robot.notes)


def test_a_contact_sensor_feels_its_own_link_only(sensor):
    plugin = """<plugin name="b" filename="libgazebo_ros_bumper.so">
      <bumperTopicName>bump</bumperTopicName></plugin>"""
    entry, plan = sensor(f'<sensor type="contact" name="c">{plugin}</sensor>')
    assert entry.topics == {"collisions": "bump"}
    assert plan.parameters.parts == ("base",)


@pytest.mark.parametrize(("z", "link", "at"), [(0.3, "laser", 0.0), (0.2, "base", 0.3)])
def test_a_sensor_whose_frame_is_a_link_at_its_place_speaks_in_it(read, z, link, at):
    plugin = (
        '<plugin name="p" filename="libgazebo_ros_laser.so"><frameName>laser</frameName></plugin>'
    )
    body = rays(plugin, columns=9, rows=1).replace("<ray>", "<pose>0.1 0 0.3 0 0 1</pose><ray>")
    laser = f"""<link name="laser"/><joint name="j" type="fixed"><parent link="base"/>
      <child link="laser"/><origin xyz="0.1 0 {z}" rpy="0 0 1"/></joint>"""
    (entry,) = read(f'{laser}<gazebo reference="base">{body}</gazebo>').sensors
    assert (entry.link, entry.pose.z) == (link, at)


FAST_SENSOR = """<gazebo reference="base"><sensor type="imu" name="i">
  <update_rate>1000</update_rate></sensor></gazebo>"""
FAST_PLUGIN = """<gazebo><plugin name="p" filename="libhector_gazebo_ros_imu.so">
  <bodyName>base</bodyName><updateRate>1000</updateRate></plugin></gazebo>"""


@pytest.mark.parametrize("body", [FAST_SENSOR, FAST_PLUGIN])
def test_an_imu_faster_than_the_steps_of_a_run_can_be_run(read, body):
    robot = read(body)
    assert robot.sensors[0].rate_hz == 400.0
    assert any("1000 Hz were lowered to 400" in note for note in robot.notes)


def test_sensors_that_name_no_topics_do_not_speak_on_one(read):
    kinds = {"ray": rays(columns=9, rows=1), "gps": '<sensor type="gps" name="g"/>'}
    body = "".join(f'<gazebo reference="base">{text}</gazebo>' * 2 for text in kinds.values())
    robot = read(body + FAST_PLUGIN * 2)
    plans = [plan_sensor(entry, "test") for entry in robot.sensors]
    outputs = [plan.parameters.outputs if "r" in plan.entry.name else () for plan in plans]
    spoken = [
        topic
        for plan, own in zip(plans, outputs, strict=True)
        for out, topic in plan.topics.items()
        if not own or out in own
    ]
    assert len(plans) == 6
    assert len(set(spoken)) == len(spoken)
    assert "scan" in spoken
    assert "r_2/scan" in spoken
