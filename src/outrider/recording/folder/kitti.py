"""The layout of KITTI's odometry data: what evaluation code for SLAM reads as it is.

``sequences/00/image_2`` and ``image_3`` (colour) or ``image_0`` and ``image_1`` (grey), left and
right; ``velodyne``; ``times.txt``; ``calib.txt``; ``poses/00.txt``, the left camera's true poses
seen from its first.
"""

import json
from pathlib import Path

import numpy as np

from outrider.core.errors import RecordingError
from outrider.core.frames import Array, Pose
from outrider.messages.frame_tree import FrameTree
from outrider.messages.types import CameraInfo, Image, Message, Odometry, PointCloud2, TFMessage
from outrider.recording.folder.clouds import points, write_bin
from outrider.recording.folder.images import grey, pixels, write_image
from outrider.recording.folder.pairing import Pairing
from outrider.recording.folder.trajectory import TrueTrajectory
from outrider.recording.track import RecordedTrack, TrackEntry

_CAMERAS = {"left": (0, 2), "right": (1, 3)}  # folder numbers for grey and colour
_CLOUD = "velodyne"


class KittiWriter:
    """Writes a stereo pair or camera, a LiDAR and a robot's true poses; the rest is left out."""

    def __init__(self, path: Path) -> None:
        path.mkdir()
        self._sequence = path / "sequences" / "00"
        self._sequence.mkdir(parents=True)
        self._poses = path / "poses" / "00.txt"
        self._poses.parent.mkdir()
        manifest = {"recorded_by": "outrider", "layout": "KITTI odometry"}
        (path / "recording.json").write_text(json.dumps(manifest) + "\n", encoding="utf-8")
        self._roles: dict[RecordedTrack, str] = {}
        self._clouds: list[RecordedTrack] = []  # one of them is the LiDAR's
        self._pairing = Pairing()
        self._tree = FrameTree()
        self._truth = TrueTrajectory()
        self._infos: dict[str, Message] = {}
        self._frames: dict[str, str] = {}  # by role
        self._times_ns: list[int] = []
        self.bytes_written = 0

    def add(self, track: RecordedTrack) -> None:
        """Give a topic its role, if it has one; which cloud is the LiDAR's is decided later."""
        role = _role(track)
        if role == _CLOUD:
            self._clouds.append(track)
        elif role and role not in self._roles.values():
            self._roles[track] = role

    def write(self, entry: TrackEntry) -> None:
        """Keep calibration data, and write complete sets of measurements."""
        if entry.track in self._clouds and _CLOUD not in self._roles.values():
            self._choose_cloud(entry)
        role, message = self._roles.get(entry.track, ""), entry.message
        if role == "static":
            self._tree.add(message)
        elif role == "truth":
            self._truth.add(entry.measured_ns, message)
        elif role.endswith("info"):
            self._infos[role.removesuffix(" info")] = message
        elif role:
            self._frames[role] = message.header.frame_id
            for moment in self._pairing.add(role, entry):
                self._write_moment(moment)

    def _choose_cloud(self, entry: TrackEntry) -> None:
        """Take a LiDAR's cloud, which has intensities; others are made from it or from images."""
        fields = {field.name for field in entry.message.fields}
        if "intensity" in fields or len(self._clouds) == 1:
            self._roles[entry.track] = _CLOUD

    def flush(self) -> None:
        """Do nothing: images and clouds are written as they come."""

    def close(self) -> None:
        """Write remaining sets, times, calibration and true poses."""
        for moment in self._pairing.rest():
            self._write_moment(moment)
        self._write_calibration()
        self._write_poses()

    def abandon(self) -> None:
        """Keep the files written so far, with their calibration if there is room."""
        self._write_calibration()
        self._write_poses()

    def _write_moment(self, moment: dict[str, TrackEntry]) -> None:
        number = len(self._times_ns)
        for role, entry in moment.items():
            if role == _CLOUD:
                file = write_bin(self._file(_CLOUD, number), points(entry.message))
            else:
                values = pixels(entry.message)
                folder = f"image_{_CAMERAS[role][0 if grey(values) else 1]}"
                file = write_image(self._file(folder, number), values)
            self.bytes_written += file.stat().st_size
        leader = moment.get("left") or next(iter(moment.values()))
        self._times_ns.append(leader.measured_ns)
        first_ns = self._times_ns[0]
        with (self._sequence / "times.txt").open("a", encoding="utf-8") as times:
            times.write(f"{(leader.measured_ns - first_ns) * 1e-9:.6e}\n")

    def _file(self, folder: str, number: int) -> Path:
        place = self._sequence / folder
        place.mkdir(exist_ok=True)
        return place / f"{number:06d}"

    @property
    def _base(self) -> str:
        """The frame whose poses are written: the left camera's, else the LiDAR's."""
        return self._frames.get("left") or self._frames.get(_CLOUD, "")

    def _fixed(self, base: str, frame: str) -> Pose:
        T_base_frame = self._tree.between(base, frame)
        if T_base_frame is None:
            raise RecordingError(f"no fixed frames lead from '{base}' to '{frame}'")
        return T_base_frame

    def _write_calibration(self) -> None:
        lines = []
        for number in range(4):
            info = self._infos.get("right" if number % 2 else "left") or self._infos.get("left")
            projection = np.eye(3, 4).ravel() if info is None else np.asarray(info.p)
            lines.append(f"P{number}: {_numbers(projection)}")
        cloud = self._frames.get(_CLOUD)
        if cloud:
            T_camera_cloud = self._fixed(self._base, cloud)
            lines.append(f"Tr: {_numbers(T_camera_cloud.matrix[:3].ravel())}")
        (self._sequence / "calib.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def _write_poses(self) -> None:
        """Write T_first_now of the camera; without truth there is no file."""
        if not self._times_ns or not self._truth:
            return
        T_body_camera = self._fixed(self._truth.frame, self._base)
        T_world_camera = [self._truth.at(time_ns) @ T_body_camera for time_ns in self._times_ns]
        back = T_world_camera[0].inverse()
        lines = [_numbers(_rows(back @ pose)) for pose in T_world_camera]
        self._poses.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _role(track: RecordedTrack) -> str:
    """Return a topic's role in this layout, or nothing."""
    kinds = {
        Image.__msgtype__: "image",
        CameraInfo.__msgtype__: "info",
        PointCloud2.__msgtype__: _CLOUD,
        TFMessage.__msgtype__: "static" if track.latched else "",
        Odometry.__msgtype__: "truth" if "ground_truth" in track.topic else "",
    }
    kind = kinds.get(track.type, "")
    if kind not in ("image", "info"):
        return kind
    if "depth" in track.topic:
        return ""
    side = "right" if "right" in track.topic else "left"
    return side if kind == "image" else f"{side} info"


def _rows(pose: Pose) -> Array:
    rows: Array = pose.matrix[:3].ravel()
    return rows


def _numbers(values: Array) -> str:
    if not np.isfinite(values).all():
        raise RecordingError("the calibration holds values that are not numbers")
    return " ".join(f"{value:.12e}" for value in values)
