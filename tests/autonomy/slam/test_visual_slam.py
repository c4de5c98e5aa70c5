"""A stereo camera knows a place again by its looks."""

import numpy as np
import pytest
import two_eyes

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.poses import odometry_message
from outrider.autonomy.slam.appearance import appearance_of, seen_again
from outrider.autonomy.slam.spec import SlamSpec
from outrider.autonomy.slam.visual_slam import VisualSlam
from outrider.autonomy.stereo.pairs import StereoPairing
from outrider.core.frames import Pose

TEXTURE = two_eyes.texture(3)
FRAMES = ("map", "odom", "base_link")
EYE = Pose(rotation=np.array([-0.5, 0.5, -0.5, 0.5]))  # on the robot, looking ahead


def pictures(x: float, y: float, now_ns: int, texture: np.ndarray = TEXTURE):
    for port, shift in (("left", 0.0), ("right", two_eyes.BASELINE)):
        yield port, two_eyes.image(two_eyes.wall(texture, -y + shift, 0.0, x, 5.0), now_ns)


def looks(x: float, y: float, texture: np.ndarray = TEXTURE):
    from outrider.autonomy.health import WarningLog

    pairing = StereoPairing(WarningLog("test"))
    for port, info in zip(("left_info", "right_info"), two_eyes.infos(), strict=True):
        pairing.take(port, info)
    pair = None
    for port, image in pictures(x, y, 0, texture):
        pair = pairing.take(port, image)
    assert pair is not None
    return appearance_of(pair, EYE)


def test_a_place_seen_again_tells_where_the_robot_stands() -> None:
    old, new = looks(0.0, 0.0), looks(0.3, 0.4)
    found = seen_again(old, new, Pose(), 30)
    assert found is not None
    assert found[0].position == pytest.approx([0.3, 0.4, 0.0], abs=0.05)
    assert found[1] > 50


def test_another_wall_is_not_taken_for_this_one() -> None:
    other = two_eyes.texture(4)
    assert seen_again(looks(0.0, 0.0), looks(0.1, 0.0, other), Pose(), 30) is None


def there_and_back(slam: VisualSlam) -> float:
    """Drive aside and back with an odometry that drifts; return how far off the end is."""
    slam.take("tf_static", two_eyes.frames(), 0)
    for port, info in zip(("left_info", "right_info"), two_eyes.infos(), strict=True):
        slam.take(port, info, 0)
    places = np.concatenate([np.linspace(0, 1.5, 10), np.linspace(1.5, 0, 10)])
    cloud = np.random.default_rng(0).uniform(-3, 3, (200, 3))
    off = 0.0
    for k, y in enumerate(places.tolist()):
        now_ns = k * 10**9
        for port, image in pictures(0.0, y, now_ns):
            slam.take(port, image, now_ns)
        drifted = Pose(np.array([0.02 * k, y, 0.0]))
        message = odometry_message(drifted, np.zeros((6, 6)), now_ns, ("odom", "base_link"))
        slam.take("odometry", message, now_ns)
        slam.take("cloud", write_cloud(cloud, now_ns, "base_link"), now_ns)
        off = float(np.linalg.norm((slam.T_map_odom @ drifted).position - [0.0, y, 0.0]))
    return off


def test_a_loop_by_looks_takes_the_drift_away() -> None:
    slam = VisualSlam(SlamSpec(key_m=0.1, apart=6, odometry_m=0.03), FRAMES)
    assert there_and_back(slam) < 0.1
    assert slam.loops
    blind = VisualSlam(SlamSpec(key_m=0.1, apart=6, loops=False), FRAMES)
    assert there_and_back(blind) == pytest.approx(0.38)
