"""A sequence folder of KITTI's odometry benchmark as messages."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
from PIL import Image as Picture

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.pipeline import Incoming
from outrider.core.clock import to_ns
from outrider.core.errors import AutonomyError
from outrider.core.frames import Array, Pose
from outrider.messages import types as ros
from outrider.messages.types import message_class

T = TypeVar("T")

BASE = "base_link"  # where the LiDAR is, too
_EYE = "camera"
_TOPICS = {
    "/tf_static": "tf2_msgs/msg/TFMessage",
    "/points": "sensor_msgs/msg/PointCloud2",
    "/left/image": "sensor_msgs/msg/Image",
    "/right/image": "sensor_msgs/msg/Image",
    "/left/camera_info": "sensor_msgs/msg/CameraInfo",
    "/right/camera_info": "sensor_msgs/msg/CameraInfo",
}
PORTS = {
    "points": "/points",
    "left": "/left/image",
    "right": "/right/image",
    "left_info": "/left/camera_info",
    "right_info": "/right/camera_info",
}
_MOST_POINTS = 1_000_000


class Kitti:
    """A folder with times.txt, calib.txt, and velodyne/ or image_0/ and image_1/ or both."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._times_s = _numbers(path / "times.txt", 1)[:, 0]
        self._calibration = _calibration(path / "calib.txt")

    @staticmethod
    def fits(path: Path) -> bool:
        """Tell whether a folder looks like one."""
        return (path / "times.txt").is_file() and (path / "calib.txt").is_file()

    @property
    def topics(self) -> dict[str, str]:
        """What it holds: topic and type."""
        clouds, images = (self._path / "velodyne").is_dir(), (self._path / "image_0").is_dir()
        found = {"/tf_static": True, "/points": clouds}
        return {n: k for n, k in _TOPICS.items() if found.get(n, images)}

    def messages(self, topics: Collection[str]) -> Iterator[Incoming]:
        """Go through the messages of some topics."""
        if "/tf_static" in topics:
            yield "/tf_static", self._frames(), to_ns(float(self._times_s[0]))
        for number, seconds in enumerate(self._times_s.tolist()):
            time_ns = to_ns(seconds)
            for topic in (name for name in self.topics if name in topics):
                message = self._message(topic, number, time_ns)
                if message is not None:
                    yield topic, message, time_ns

    def close(self) -> None:
        """Have nothing to let go of."""

    def _message(self, topic: str, number: int, time_ns: int) -> ros.Message | None:
        if topic == "/points":
            return self._cloud(number, time_ns)
        if topic.endswith("camera_info"):
            return self._info(topic.startswith("/right"), number, time_ns)
        if topic.endswith("image"):
            return self._image(topic.startswith("/right"), number, time_ns)
        return None

    def _cloud(self, number: int, time_ns: int) -> ros.PointCloud2:
        path = self._path / "velodyne" / f"{number:06d}.bin"
        try:
            values = np.fromfile(path, np.float32, count=4 * _MOST_POINTS)
        except OSError:
            raise AutonomyError(f"{path}: this scan is missing") from None
        if len(values) % 4:
            raise AutonomyError(f"{path}: expected x, y, z, intensity for each point")
        return write_cloud(values.reshape(-1, 4)[:, :3], time_ns, BASE)

    def _image(self, right: bool, number: int, time_ns: int) -> ros.Image:
        path = self._path / f"image_{int(right)}" / f"{number:06d}.png"
        grey = _of_picture(path, lambda picture: np.asarray(picture.convert("L")))
        height, width = grey.shape
        return ros.Image(
            ros.header(time_ns, _EYE), height, width, "mono8", 0, width, grey.reshape(-1)
        )

    def _info(self, right: bool, number: int, time_ns: int) -> ros.CameraInfo:
        name = "P1" if right else "P0"
        if name not in self._calibration:
            raise AutonomyError(f"{self._path / 'calib.txt'}: there is no line '{name}:'")
        P = self._calibration[name]
        K = P[:, :3].reshape(-1)
        path = self._path / f"image_{int(right)}" / f"{number:06d}.png"
        width, height = _of_picture(path, lambda picture: picture.size)
        roi = message_class("sensor_msgs/msg/RegionOfInterest")(0, 0, 0, 0, False)
        return ros.CameraInfo(
            ros.header(time_ns, _EYE),
            height,
            width,
            "plumb_bob",
            np.zeros(5),
            K,
            np.eye(3).reshape(-1),
            P.reshape(-1),
            0,
            0,
            roi,
        )

    def _frames(self) -> ros.TFMessage:
        T = np.eye(4)
        if "Tr" in self._calibration:  # from the LiDAR into the left eye
            T[:3] = self._calibration["Tr"]
        else:
            T[:3, :3] = [[0, -1, 0], [0, 0, -1], [1, 0, 0]]
        eye = Pose.from_matrix(T).inverse()
        transform = ros.Transform(
            ros.Vector3(*eye.position.tolist()), ros.Quaternion(*eye.rotation.tolist())
        )
        return ros.TFMessage([ros.TransformStamped(ros.header(0, BASE), _EYE, transform)])


def _of_picture(path: Path, take: Callable[[Picture.Image], T]) -> T:
    try:
        with Picture.open(path) as picture:
            return take(picture)
    except (OSError, ValueError, SyntaxError, Picture.DecompressionBombError):
        raise AutonomyError(f"{path}: this image is missing or no image") from None


def _numbers(path: Path, columns: int) -> Array:
    try:
        values = np.loadtxt(path, ndmin=2)
    except (OSError, ValueError) as error:
        raise AutonomyError(f"{path}: expected lines of {columns} numbers: {error}") from None
    if values.shape[1] != columns or not len(values) or not np.isfinite(values).all():
        raise AutonomyError(f"{path}: expected lines of {columns} numbers")
    return values


def _calibration(path: Path) -> dict[str, Array]:
    found = {}
    text = path.read_text("utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), start=1):
        name, colon, rest = line.partition(":")
        if not colon:
            continue
        try:
            values = np.array([float(v) for v in rest.split()]).reshape(3, 4)
            if not np.isfinite(values).all():
                raise ValueError
            found[name.strip()] = values
        except ValueError:
            raise AutonomyError(f"{path}: line {number}: expected 'P0:' and 12 numbers") from None
    return found
