"""What Foxglove's 3D panel needs of a world: its colours, and its place among the frames."""

import struct
import threading
from contextlib import contextmanager

import foxglove
import numpy as np
import pytest
from mcap.reader import make_reader
from PIL import Image

from outrider.bridges.foxglove.scene import scene_of
from outrider.bridges.foxglove.truth_frames import TruthFrames
from outrider.bus.bus import Bus
from outrider.messages.convert import from_dict
from outrider.messages.types import Odometry, TFMessage
from outrider.world.materials import Material
from outrider.world.model import Geometry, Link, Model, World
from outrider.world.shapes import Box

QUARTER = {"z": np.sqrt(0.5), "w": np.sqrt(0.5)}
MS = 1_000_000


def scene_bytes(material):
    link = Link("trunk", visuals=(Geometry(Box((1.0, 1.0, 1.0)), material=material),))
    return scene_of(World("grove", (Model("tree", (link,), mobility="static"),))).encode()


def test_a_textured_thing_has_its_textures_mean_colour(tmp_path):
    picture = tmp_path / "bark.png"
    Image.fromarray(np.full((8, 8, 3), (51, 102, 153), np.uint8)).save(picture)
    data = scene_bytes(Material(colour=(1.0, 1.0, 1.0, 1.0), texture=str(picture)))
    colour = b"".join(struct.pack("<Bd", *one) for one in ((9, 0.2), (17, 0.4), (25, 0.6)))
    assert colour in data  # red, green and blue, as protobuf writes them


def test_the_scene_follows_its_frame():
    frame_id, frame_locked = b"\x12\x03map", b"\x28\x01"  # fields 2 and 5 of a SceneEntity
    data = scene_bytes(Material())
    assert frame_id in data
    assert frame_locked in data


class Stage:
    """A bus with a robot's frames and its true pose, and what is said of them."""

    def __init__(self, context):
        self.bus = Bus()
        self._tf = self.bus.declare("/tf", TFMessage.__msgtype__)
        self._truth = self.bus.declare("/ground_truth/state", Odometry.__msgtype__)
        self.frames = TruthFrames(context, self.bus, threading.Event())
        self.frames.follow(self.bus.topics())

    def transform(self, ms, parent, child, x, y, z):
        header = {"frame_id": parent, "stamp": {"nanosec": ms * MS}}
        move = {"translation": {"x": x, "y": y, "z": z}, "rotation": QUARTER}
        item = {"header": header, "child_frame_id": child, "transform": move}
        self._tf.publish(from_dict(self._tf.type, {"transforms": [item]}), ms * MS)

    def truth(self, ms, x, y, z):
        pose = {"position": {"x": x, "y": y, "z": z}, "orientation": QUARTER}
        header = {"frame_id": "map", "stamp": {"nanosec": ms * MS}}
        values = {"header": header, "child_frame_id": "base_link", "pose": {"pose": pose}}
        self._truth.publish(from_dict(self._truth.type, values), ms * MS)


@contextmanager
def staged(path):
    """Let a file be the client that shows the frames."""
    context = foxglove.Context()
    with foxglove.open_mcap(path, context=context):
        yield Stage(context)


def said(path):
    """Return time, child frame and translation of each message: one transform in each."""
    found = []
    with path.open("rb") as file:
        for _, _, message in make_reader(file).iter_messages("/tf_truth"):
            data = message.data
            child = data.split(b"\x12\x03map\x1a", 1)[1]
            length = child[0]
            place = data.index(b"\x22\x1b")  # field 4, a Vector3 of three doubles
            x, y, z = (struct.unpack_from("<d", data, place + 3 + 9 * k)[0] for k in range(3))
            name = child[1 : 1 + length].decode()
            found.append((message.log_time // MS, name, pytest.approx((x, y, z))))
    return found


def test_odom_hangs_in_the_world_where_the_robots_true_pose_wants_it(tmp_path):
    with staged(tmp_path / "a.mcap") as stage:
        stage.truth(20, 30.0, 40.0, 50.0)
        stage.truth(40, 3.0, 4.0, 5.0)
        stage.transform(40, "odom", "base_link", 1.0, 0.5, 0.25)
        stage.frames.drain()
        stage.frames.drain()  # nothing is news
    assert said(tmp_path / "a.mcap") == [(40, "odom", (2.0, 3.5, 4.75))]


def test_a_transform_waits_for_the_truth_of_its_moment(tmp_path):
    with staged(tmp_path / "a.mcap") as stage:
        stage.truth(20, 30.0, 40.0, 50.0)
        stage.transform(40, "odom", "base_link", 1.0, 0.5, 0.25)
        stage.frames.drain()
        stage.truth(40, 3.0, 4.0, 5.0)
        stage.frames.drain()
    assert said(tmp_path / "a.mcap") == [(40, "odom", (2.0, 3.5, 4.75))]


def test_a_robot_without_odometry_hangs_in_the_world_by_its_base(tmp_path):
    with staged(tmp_path / "a.mcap") as stage:
        stage.truth(20, 3.0, 4.0, 5.0)
        stage.frames.drain()
    assert said(tmp_path / "a.mcap") == [(20, "base_link", (3.0, 4.0, 5.0))]


def test_a_localisation_has_the_word(tmp_path):
    with staged(tmp_path / "a.mcap") as stage:
        stage.transform(40, "map", "odom", 0.1, 0.1, 0.1)
        stage.transform(40, "odom", "base_link", 1.0, 0.5, 0.25)
        stage.truth(40, 3.0, 4.0, 5.0)
        stage.frames.drain()
    assert said(tmp_path / "a.mcap") == []
