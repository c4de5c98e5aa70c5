"""Names of topics on ROS 1 and ROS 2."""

import pytest

from outrider.bridges.names import check_in_ros2, remaps
from outrider.core.errors import ConfigError


@pytest.mark.parametrize("name", ["/clock", "/car_1/odom", "/_hidden/x"])
def test_names_of_ros_2_pass(name):
    check_in_ros2(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("/communication/gps/0", "/communication/gps_0"),
        ("/car-1/2d scan", "/car_1_2d_scan"),
    ],
)
def test_a_name_that_ros_2_does_not_allow_is_told_with_the_remap_that_gives_another(name, other):
    with pytest.raises(ConfigError, match=f"ros2:remap={name}:={other}$"):
        check_in_ros2(name)
    check_in_ros2(other)


def test_the_remap_that_is_told_is_one():
    assert remaps(("/communication/gps/0:=/communication/gps_0",)) == {
        "/communication/gps/0": "/communication/gps_0"
    }
