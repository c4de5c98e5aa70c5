"""A sequence folder of KITTI's odometry benchmark as messages."""

from collections.abc import Collection, Iterator
from pathlib import Path

import numpy as np
from PIL import Image as Picture

from outrider.autonomy.clouds import write_cloud
from outrider.autonomy.pipeline import Incoming
from outrider.autonomy.poses import odometry_message
from outrider.core.clock import to_ns
from outrider.core.errors import AutonomyError
from outrider.core.files.package_files import refuse_devices
from outrider.core.frames import Array, Pose
from outrider.messages import types as ros
from outrider.messages.types import message_class

BASE = "base_link"  # where the LiDAR is, too
_EYE = "camera"
_TRUTH = "/ground_truth/state"
_FILES = ("times.txt", "calib.txt")
_TOPICS = {
    "/tf_static": "tf2_msgs/msg/TFMessage",
    "/points": "sensor_msgs/msg/PointCloud2",
    "/left/image": "sensor_msgs/msg/Image",
    "/right/image": "sensor_msgs/msg/Image",
    "/left/camera_info": "sensor_msgs/msg/CameraInfo",
    "/right/camera_info": "sensor_msgs/msg/CameraInfo",
    _TRUTH: "nav_msgs/msg/Odometry",
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
    """A sequence with times.txt, calib.txt, and velodyne/ or images of two eyes, or both.

    The eyes are image_0 and image_1 (grey), or image_2 and image_3 (colour).
    """

    def __init__(self, path: Path) -> None:
        self._path = path = _sequence(path) or path
        self._times_s = _numbers(path / "times.txt", 1)[:, 0]
        self._calibration = _calibration(path / "calib.txt")
        self._eyes = (0, 1) if (path / "image_0").is_dir() else (2, 3)
        poses = path.parent.parent / "poses" / f"{path.name}.txt"
        self._poses = _numbers(poses, 12) if poses.is_file() else None

    @staticmethod
    def fits(path: Path) -> bool:
        """Return whether a folder looks like a sequence, or holds one."""
        return _sequence(path) is not None

    @property
    def topics(self) -> dict[str, str]:
        """What it holds: topic and type."""
        clouds = (self._path / "velodyne").is_dir()
        images = all((self._path / f"image_{eye}").is_dir() for eye in self._eyes)
        found = {"/tf_static": True, "/points": clouds, _TRUTH: self._poses is not None}
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
        """Do nothing: no files are kept open."""

    def _message(self, topic: str, number: int, time_ns: int) -> ros.Message | None:
        if topic == "/points":
            return self._cloud(number, time_ns)
        if topic == _TRUTH:
            return self._truth(number, time_ns)
        if topic.endswith("camera_info"):
            return self._info(topic.startswith("/right"), number, time_ns)
        if topic.endswith("image"):
            return self._image(topic.startswith("/right"), number, time_ns)
        return None

    def _cloud(self, number: int, time_ns: int) -> ros.PointCloud2:
        path = self._path / "velodyne" / f"{number:06d}.bin"
        refuse_devices(path, AutonomyError)
        try:
            values = np.fromfile(path, np.float32, count=4 * _MOST_POINTS)
        except OSError:
            raise AutonomyError(f"{path}: this scan is missing") from None
        if len(values) % 4:
            raise AutonomyError(f"{path}: expected x, y, z, intensity for each point")
        return write_cloud(values.reshape(-1, 4)[:, :3], time_ns, BASE)

    def _truth(self, number: int, time_ns: int) -> ros.Odometry | None:
        """Return the true pose of the LiDAR, seen from where it was first."""
        if self._poses is None or number >= len(self._poses):
            return None
        T = np.eye(4)
        T[:3] = self._poses[number].reshape(3, 4)
        eye = self._matrix_of_first_eye()
        pose = Pose.from_matrix(np.linalg.inv(eye) @ T @ eye)
        return odometry_message(pose, np.zeros((6, 6)), time_ns, ("world", BASE))

    def _picture(self, right: bool, number: int) -> Path:
        return self._path / f"image_{self._eyes[right]}" / f"{number:06d}.png"

    def _image(self, right: bool, number: int, time_ns: int) -> ros.Image:
        grey = np.asarray(_opened(self._picture(right, number)).convert("L"))
        height, width = grey.shape
        return ros.Image(
            ros.header(time_ns, _EYE), height, width, "mono8", 0, width, grey.reshape(-1)
        )

    def _info(self, right: bool, number: int, time_ns: int) -> ros.CameraInfo:
        P = self._row(f"P{self._eyes[right]}").copy()
        K = P[:, :3].reshape(-1)
        P[:, 3] -= self._row(f"P{self._eyes[0]}")[:, 3]  # seen from the left eye
        width, height = _opened(self._picture(right, number)).size
        roi = message_class("sensor_msgs/msg/RegionOfInterest")(0, 0, 0, 0, False)
        return ros.CameraInfo(
            header=ros.header(time_ns, _EYE),
            height=height,
            width=width,
            distortion_model="plumb_bob",
            d=np.zeros(5),
            k=K,
            r=np.eye(3).reshape(-1),
            p=P.reshape(-1),
            binning_x=0,
            binning_y=0,
            roi=roi,
        )

    def _frames(self) -> ros.TFMessage:
        """Return where the left eye is, seen from the LiDAR."""
        T = self._matrix_of_first_eye()
        P = self._calibration.get(f"P{self._eyes[0]}")
        if P is not None:
            T[:3, 3] += np.linalg.solve(P[:, :3], P[:, 3])  # beside the first eye
        eye = Pose.from_matrix(T).inverse()
        transform = ros.Transform(
            ros.Vector3(*eye.position.tolist()), ros.Quaternion(*eye.rotation.tolist())
        )
        return ros.TFMessage([ros.TransformStamped(ros.header(0, BASE), _EYE, transform)])

    def _matrix_of_first_eye(self) -> Array:
        """Return the transform from the LiDAR to the camera whose poses are given."""
        T = np.eye(4)
        if "Tr" in self._calibration:
            T[:3] = self._calibration["Tr"]
        else:
            T[:3, :3] = [[0, -1, 0], [0, 0, -1], [1, 0, 0]]
        return T

    def _row(self, name: str) -> Array:
        if name not in self._calibration:
            raise AutonomyError(f"{self._path / 'calib.txt'}: there is no line '{name}:'")
        return self._calibration[name]


def _sequence(path: Path) -> Path | None:
    """Return the sequence that a folder is, or the only one that it holds."""
    below = sorted((path / "sequences").glob("*")) if (path / "sequences").is_dir() else []
    found = [p for p in (path, *below) if all((p / name).is_file() for name in _FILES)]
    if len(found) > 1:
        names = ", ".join(str(p) for p in found)
        raise AutonomyError(f"{path}: contains several sequences, choose one: {names}")
    return found[0] if found else None


def _opened(path: Path) -> Picture.Image:
    refuse_devices(path, AutonomyError)
    try:
        with Picture.open(path) as picture:
            picture.load()
            return picture
    except Exception:  # whatever Pillow throws at a bad file, and it may ask for 2 GB
        raise AutonomyError(f"{path}: this image is missing or not an image") from None


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
