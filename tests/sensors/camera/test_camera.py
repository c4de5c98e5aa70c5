"""Cameras as sensors: messages, times, limits, and pictures only for those who listen."""

import io
import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

import outrider as o
from outrider.core.errors import ConfigError, OutriderError
from outrider.core.structure import from_data
from outrider.loader.library import library_names
from outrider.render.renderer import ORDER
from outrider.scenarios.session.saved_state import put_back, take
from outrider.sensors.camera import renderer_pool
from outrider.sensors.camera.camera import Camera
from outrider.sensors.camera.messages import COLOURED_POINT
from outrider.sensors.camera.parameters import CameraParameters
from outrider.sensors.catalogue import plan_sensor
from outrider.sim.simulation import Simulation
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.world.materials import Material
from outrider.world.model import Geometry, Light, Link, Model, World
from outrider.world.shapes import Box, Plane

SMALL = {"width": 160, "height": 120, "renderer": "embree"}
CAMERAS = (
    "autominy-camera",
    "automodelcar-camera",
    "bumblebee2",
    "camera",
    "depth-camera",
    "realsense-d435",
    "s4-camera",
    "segmentation-camera",
    "stereo-camera",
    "zed",
)


def static(name, shape, pose=None, **material):
    geometry = Geometry(shape, pose or o.Pose(), Material(name=name, **material))
    return Model(name, (Link("link", None, (geometry,)),), mobility="static")


def wall_world(distance=5.0):
    wall = static("wall", Box((1.0, 60.0, 60.0)), o.Pose(np.array([distance + 0.5, 0.0, 0.0])))
    return World("wall", (static("floor", Plane(100.0)), wall), lights=(Light("sun"),))


def standing(model, name="cam", world=None, rate_hz=None, latency_s=None, **settings):
    entry = SensorEntry(
        name,
        model,
        pose=PoseSpec(z=1.0),
        rate_hz=rate_hz,
        latency_s=latency_s,
        set=SMALL | settings,
    )
    return Simulation(world or wall_world(), sensors=(entry,), engine="kinematic")


def heard(simulation, topic, duration_s):
    box = simulation.bus.subscribe(topic)
    messages = []
    end = simulation.time_s + duration_s
    while simulation.time_s < end - 1e-9:
        simulation.step()
        while (item := box.poll()) is not None:
            messages.append((simulation.time_ns, item[1]))
    box.close()
    return messages


@pytest.mark.parametrize("name", CAMERAS)
def test_every_camera_of_the_library_is_one(name):
    assert name in library_names("sensors")
    ready = plan_sensor(SensorEntry("cam", name), "test")
    assert issubclass(ready.kind, Camera)
    assert ready.parameters.intrinsics().width == ready.parameters.width
    assert ready.latency_s > 0  # so that drawing goes on beside the physics


def test_the_presets_have_their_makers_figures():
    bumblebee = plan_sensor(SensorEntry("c", "bumblebee2"), "test")
    assert (bumblebee.rate_hz, bumblebee.parameters.baseline, bumblebee.parameters.noise) == (
        20,
        0.12,
        0.007,
    )
    assert bumblebee.parameters.intrinsics().fx == pytest.approx(788.4, abs=0.1)
    wide = plan_sensor(SensorEntry("c", "s4-camera"), "test").parameters.intrinsics()
    assert 2 * np.degrees(np.arctan(360 / wide.fy)) == pytest.approx(72.0)
    assert 2 * np.degrees(np.arctan(640 / wide.fx)) == pytest.approx(104.0)


def test_a_picture_comes_after_its_latency_with_the_time_it_was_taken():
    simulation = standing("camera", rate_hz=20.0, latency_s=0.03)
    messages = heard(simulation, "/cam/image_raw", 0.2)
    assert len(messages) == 3  # nobody listened yet when that of the start was due
    for arrived_ns, message in messages:
        stamp_ns = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
        assert stamp_ns % 50_000_000 == 0
        assert arrived_ns - stamp_ns == pytest.approx(30_000_000, abs=2_500_000)
        assert (message.height, message.width, message.encoding) == (120, 160, "rgb8")
        assert len(message.data) == 120 * 160 * 3 == message.height * message.step


def test_what_nobody_wants_is_never_drawn():
    simulation = standing("camera")
    simulation.run(0.3)
    assert simulation.rig.scene not in renderer_pool._rooms
    assert simulation.bus.channel("/cam/image_raw").count > 2


def test_camera_info_alone_needs_no_picture():
    simulation = standing("camera", distortion=[-0.2, 0.05, 0.001, 0.0, 0.0])
    info = heard(simulation, "/cam/camera_info", 0.2)[-1][1]
    assert simulation.rig.scene not in renderer_pool._rooms
    assert info.distortion_model == "plumb_bob"
    assert info.d.tolist() == [-0.2, 0.05, 0.001, 0.0, 0.0]
    lens = plan_sensor(SensorEntry("c", "camera", set=SMALL), "t").parameters.intrinsics()
    assert info.k.reshape(3, 3).tolist() == lens.matrix.tolist()
    assert info.p.reshape(3, 4)[:, :3].tolist() == lens.matrix.tolist()


def test_a_stereo_pair_has_one_time_and_the_right_eyes_shift():
    post = static("post", Box((0.2, 0.2, 4.0)), o.Pose(np.array([3.0, 0.0, 0.0])))
    world = replace(wall_world(), models=(*wall_world().models, post))
    simulation = standing("stereo-camera", world=world, baseline=0.25)
    topics = [
        f"/cam/{side}/{what}" for side in ("left", "right") for what in ("image_raw", "camera_info")
    ]
    boxes = [simulation.bus.subscribe(topic) for topic in topics]
    simulation.run(0.11)
    left, left_info, right, right_info = (box.poll()[1] for box in boxes)
    assert left.header.stamp == right.header.stamp == right_info.header.stamp
    assert left_info.p[3] == 0.0
    assert right_info.p[3] == pytest.approx(-right_info.p[0] * 0.25)
    assert not np.array_equal(left.data, right.data)


def test_jpeg_quality_decides_the_size():
    sizes = {}
    for quality in (30, 95):
        simulation = standing("camera", jpeg_quality=quality, noise=0.02)
        message = heard(simulation, "/cam/image_raw/compressed", 0.12)[0][1]
        assert message.format == "jpeg"
        picture = Image.open(io.BytesIO(message.data.tobytes()))
        assert picture.size == (160, 120)
        sizes[quality] = len(message.data)
    assert sizes[95] > 2 * sizes[30]


@pytest.mark.parametrize(("encoding", "order"), [("rgb8", [0, 1, 2]), ("bgr8", [2, 1, 0])])
def test_colours_come_in_the_order_asked_for(encoding, order):
    wall = static(
        "wall", Box((1.0, 60.0, 60.0)), o.Pose(np.array([4.0, 0, 0])), colour=(1.0, 0.5, 0.0, 1.0)
    )
    simulation = standing("camera", world=World("w", (wall,)), encoding=encoding, noise=0.0)
    message = heard(simulation, "/cam/image_raw", 0.12)[0][1]
    pixel = message.data.reshape(120, 160, 3)[60, 80][order]
    assert pixel[0] > pixel[1] > pixel[2] == 0
    grey = heard(standing("camera", encoding="mono8"), "/cam/image_raw", 0.12)[0][1]
    assert (grey.encoding, grey.step) == ("mono8", 160)


@pytest.mark.parametrize("distance", [2.0, 6.0])
def test_depth_noise_grows_with_the_square_of_the_depth(distance):
    simulation = standing(
        "depth-camera",
        world=wall_world(distance),
        subpixel=0.2,
        baseline=0.1,
        hfov_deg=20.0,
        depth_max=20.0,
    )
    message = heard(simulation, "/cam/depth", 0.12)[0][1]
    depth = message.data.view(np.float32).reshape(120, 160)
    fx = 80 / np.tan(np.radians(10.0))
    assert message.encoding == "32FC1"
    assert depth.mean() == pytest.approx(distance, rel=2e-3)
    assert depth.std() == pytest.approx(distance**2 * 0.2 / (fx * 0.1), rel=0.03)


def test_depth_beyond_its_limits_is_told_apart():
    far = heard(standing("depth-camera", depth_max=4.0), "/cam/depth", 0.12)[0][1]
    assert np.isposinf(far.data.view(np.float32).reshape(120, 160)[60, 80])
    near = heard(standing("depth-camera", depth_min=7.0), "/cam/depth", 0.12)[0][1]
    assert np.isneginf(near.data.view(np.float32).reshape(120, 160)[60, 80])
    mm = heard(standing("depth-camera", depth_encoding="16UC1"), "/cam/depth", 0.12)[0][1]
    assert mm.data.view(np.uint16).reshape(120, 160)[60, 80] == 5000
    none = heard(
        standing("depth-camera", depth_encoding="16UC1", depth_max=3.0), "/cam/depth", 0.12
    )
    assert none[0][1].data.view(np.uint16).reshape(120, 160)[60, 80] == 0


def test_points_lie_on_the_wall_and_have_its_colour():
    simulation = standing("depth-camera")
    cloud = heard(simulation, "/cam/points", 0.12)[0][1]
    assert (cloud.height, cloud.width, cloud.point_step) == (120, 160, 16)
    points = cloud.data.view(COLOURED_POINT).reshape(120, 160)
    assert points["z"][60, 80] == pytest.approx(5.0, abs=2e-3)
    assert points["x"][60, 0] < 0 < points["y"][119, 80]  # x right, y down
    assert points["rgb"][60, 80] & 0xFF > 50
    assert np.isnan(points["x"][np.isnan(points["z"])]).all()


def test_true_labels_come_with_their_names():
    simulation = standing("segmentation-camera")
    boxes = [simulation.bus.subscribe(f"/cam/{what}") for what in ("labels", "names")]
    simulation.run(0.11)
    labels, names = (box.poll()[1] for box in boxes)
    table = json.loads(names.data)
    pixels = labels.data.view(np.int32).reshape(120, 160)
    assert labels.encoding == "32SC1"
    assert table[str(pixels[60, 80])] == "wall"
    assert table[str(pixels[119, 80])] == "floor"


@pytest.mark.parametrize("model", ["camera", "stereo-camera", "depth-camera"])
@pytest.mark.parametrize(
    ("distortion", "complaint"),
    [
        ([0.0, 0.0, 0.5, 0.5, 0.0], "folds the image over itself"),
        ([-0.451, 0.1153, 0.0, 0.0, -0.01058], r"needs a straight image of \d+ x 24 pixels"),
    ],
)
def test_a_distortion_that_cannot_be_drawn_is_refused_before_the_first_picture(
    model, distortion, complaint
):
    with pytest.raises(OutriderError, match=complaint):
        standing(model, width=8192, height=10, hfov_deg=71.0, distortion=distortion)


def test_the_optical_frame_is_announced():
    simulation = standing("camera")
    box = simulation.bus.subscribe("/tf_static")
    frames = {t.child_frame_id: t for t in box.poll()[1].transforms}
    turn = frames["cam_optical"].transform.rotation
    assert frames["cam_optical"].header.frame_id == "cam"
    assert (turn.x, turn.y, turn.z, turn.w) == (-0.5, 0.5, -0.5, 0.5)
    assert heard(simulation, "/cam/image_raw", 0.12)[0][1].header.frame_id == "cam_optical"


def test_pictures_do_not_depend_on_who_else_listens():
    def pictures(others):
        simulation = standing("camera", noise=0.02)
        boxes = [simulation.bus.subscribe(topic) for topic in others]
        messages = heard(simulation, "/cam/image_raw", 0.3)
        assert all(box.poll() is not None for box in boxes)
        return [m.data.tobytes() for _, m in messages]

    alone = pictures([])
    assert len(set(alone)) == len(alone) == 4  # noise differs from picture to picture
    assert pictures(["/cam/image_raw/compressed", "/cam/camera_info"]) == alone


def test_a_run_goes_on_after_it_was_saved_while_a_picture_was_taken():
    simulation = standing("camera", noise=0.02, rate_hz=20.0, latency_s=0.04)
    box = simulation.bus.subscribe("/cam/image_raw")
    simulation.run(0.06)  # the picture of 0.05 s is under way
    saved = take(simulation, o.Scenario())
    simulation.run(0.05)
    expected = box.poll()[1]
    again = standing("camera", noise=0.02, rate_hz=20.0, latency_s=0.04)
    other = again.bus.subscribe("/cam/image_raw")
    put_back(saved, again)
    again.run(0.05)
    came = other.poll()[1]
    assert came.header.stamp == expected.header.stamp
    assert np.array_equal(came.data, expected.data)


def test_a_rolling_shutter_is_stamped_when_its_first_row_was_read():
    simulation = standing("camera", rate_hz=20.0, line_time_us=100.0)
    _, message = heard(simulation, "/cam/image_raw", 0.15)[0]
    stamp_ns = message.header.stamp.sec * 10**9 + message.header.stamp.nanosec
    assert stamp_ns % 50_000_000 == pytest.approx(0, abs=2_500_000)  # read-out: 12 ms, then phase


@pytest.mark.parametrize("renderer", ORDER)
def test_a_rolling_shutter_sees_its_own_robot_as_at_rest_while_that_drives(renderer):
    def own_pixels(speed):
        entry = SensorEntry(
            "cam",
            "segmentation-camera",
            pose=PoseSpec(x=-0.1, z=0.7, pitch_deg=50.0),
            rate_hz=20.0,
            set=SMALL | {"line_time_us": 250.0, "hfov_deg": 90.0, "renderer": renderer},
        )
        jackal = o.robot("jackal")
        spec = replace(jackal.robot.spec, sensors=(entry,))
        jackal = replace(jackal, robot=replace(jackal.robot, spec=spec))
        simulation = o.Simulation(wall_world(60.0), robots=[jackal], engine="kinematic")
        labels = simulation.bus.subscribe("/cam/labels")
        names = simulation.bus.subscribe("/cam/names")
        simulation.robots["jackal"].drive(speed)
        simulation.run(0.2)
        image, known = labels.poll()[1], json.loads(names.poll()[1].data)
        pixels = np.frombuffer(bytes(image.data), np.int32).reshape(120, 160)
        own = [int(n) for n, name in known.items() if name.startswith("jackal")]
        return np.isin(pixels, own)

    rest, driving = own_pixels(0.0), own_pixels(2.0)
    assert rest.sum() > 1000
    assert (rest != driving).sum() < 30  # some pixels of turning wheels


def test_the_jackal_sees_with_both_eyes():
    simulation = o.Simulation(wall_world(), robots=[o.robot("jackal")], engine="kinematic")
    names = {info.name: info.type for info in simulation.bus.topics()}
    for side in ("left", "right"):
        assert names[f"/front/{side}/image_raw"] == "sensor_msgs/msg/Image"
        assert names[f"/front/{side}/camera_info"] == "sensor_msgs/msg/CameraInfo"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"hfov_deg": 190.0}, "field of view"),
        ({"width": 0}, "at least 1"),
        ({"width": 20000}, "at most 8192"),
        ({"near": 5.0, "far": 1.0}, "near must be below far"),
        ({"noise": 3.0}, "at most 1"),
        ({"outputs": ["image", "smell"]}, "no output 'smell'"),
        ({"shutter": 1}, "unknown key"),
        ({"balance": [1.0, -1.0, 1.0]}, "balance"),
        ({"renderer": "crayon"}, "no renderer 'crayon'"),
    ],
)
def test_bad_figures_end_in_one_sentence(settings, says):
    with pytest.raises(OutriderError, match=says) as caught:
        heard(standing("camera", **settings), "/cam/image_raw", 0.1)
    assert "\n" not in str(caught.value)


def test_parameters_read_back_as_they_were_written():
    p = from_data(CameraParameters, {"width": 320, "balance": [1.1, 1.0, 0.9]}, "test")
    assert replace(p, width=640).film(3, 4).balance == (1.1, 1.0, 0.9)
    with pytest.raises(ConfigError):
        from_data(CameraParameters, {"encoding": "cmyk"}, "test")
