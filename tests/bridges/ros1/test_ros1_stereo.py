"""stereo_image_proc turns our stereo pair into disparity and a cloud."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from ros1_bench import needs_ros1, program, rospy, running

from outrider.scenarios.scenario import RobotEntry
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, ObjectSpec, PoseSpec

NODE = "/usr/lib/stereo_image_proc/stereo_image_proc"
pytestmark = [
    pytest.mark.peer,
    needs_ros1,
    pytest.mark.skipif(not Path(NODE).exists(), reason="stereo_image_proc is not installed"),
]

WIDTH, HFOV_DEG, BASELINE, DISTANCE = 320, 66.0, 0.12, 3.0

LISTENER = """
import json, struct, rospy
import numpy as np
from sensor_msgs.msg import PointCloud2
from stereo_msgs.msg import DisparityImage
rospy.init_node("judge")
found = rospy.wait_for_message("/bumblebee/disparity", DisparityImage, timeout=90)
image = np.frombuffer(found.image.data, np.float32).reshape(found.image.height, -1)
valid = image[image > found.min_disparity]
cloud = rospy.wait_for_message("/bumblebee/points2", PointCloud2, timeout=90)
offset = {f.name: f.offset for f in cloud.fields}["z"]
raw = np.frombuffer(cloud.data, np.uint8).reshape(-1, cloud.point_step)
z = raw[:, offset:offset + 4].copy().view(np.float32)[:, 0]
z = z[np.isfinite(z) & (z < 100)]
print(json.dumps([found.f, found.T, float(np.median(valid)), len(valid) / image.size,
    float(np.median(z)), len(z), found.header.frame_id]))
"""


def _picture(path):
    from PIL import Image

    noise = np.random.default_rng(1).integers(0, 255, (256, 256, 3), np.uint8)
    Image.fromarray(noise).resize((1024, 1024), Image.Resampling.BICUBIC).save(path)
    return str(path)


def _nodelet_package(home):
    """Lay down what Debian leaves out: the description of a package that only has to be there."""
    package = home / "packages" / "nodelet"
    package.mkdir(parents=True)
    text = "<package><name>nodelet</name><version>1.0.0</version></package>"
    (package / "package.xml").write_text(text)


def test_stereo_image_proc_sees_the_wall_where_it_is(tmp_path):
    _nodelet_package(tmp_path)
    wall = ObjectSpec(
        "wall",
        pose=PoseSpec(DISTANCE + 0.05, 0.0),
        shape=BoxSpec(size=(0.1, 8.0, 5.0)),
        texture=_picture(tmp_path / "noise.png"),
    )
    camera = SensorEntry(
        "bumblebee",
        "bumblebee2",
        link="base_link",
        pose=PoseSpec(0.0, BASELINE / 2, 0.5),
        rate_hz=4.0,
        set={"width": WIDTH, "height": 240, "noise": 0.002},
    )
    jackal = RobotEntry("jackal", sensors=(camera,))
    with (
        running(robots=(jackal,), obstacles=(wall,)) as sim,
        program(
            sim.uri,
            tmp_path,
            NODE,
            "__ns:=/bumblebee",
            "_approximate_sync:=false",
            "_disparity_range:=64",
            "__name:=stereo",
        ),
    ):
        said = rospy(sim.uri, tmp_path, LISTENER, timeout=220).splitlines()[-1]
    focal, baseline, disparity, share, depth, points, frame = json.loads(said)
    expected = WIDTH / 2 / math.tan(math.radians(HFOV_DEG) / 2)
    assert focal == pytest.approx(expected, rel=1e-3)
    assert baseline == pytest.approx(BASELINE, rel=1e-3)
    assert disparity == pytest.approx(expected * BASELINE / DISTANCE, rel=0.03)
    assert depth == pytest.approx(DISTANCE, rel=0.03)
    assert share > 0.5
    assert points > 10_000
    assert "bumblebee" in frame
