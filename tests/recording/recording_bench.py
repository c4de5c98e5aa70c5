"""A bus with topics of all kinds, a clock of its own, and something to say."""

import numpy as np

from outrider.bus.bus import Bus
from outrider.messages.convert import from_dict, to_dict
from outrider.recording.recorder import Recorder, RecordingOptions

FORMATS = {
    "mcap": "drive.mcap",
    "mcap-ros1": "drive.ros1.mcap",
    "rosbag1": "drive.bag",
    "rosbag2": "drive.rosbag2",
    "rosbag2-mcap": "drive.rosbag2-mcap",
}
IMU, CLOCK, IMAGE = "/imu/data", "/clock", "/front/left/image_raw"
CLOUD, TRUTH, STATIC = "/mid/points", "/ground_truth/state", "/tf_static"
STEP_NS = 10_000_000
LATENCY_NS = 25_000_000  # of images
_TYPES = {
    CLOCK: "rosgraph_msgs/msg/Clock",
    IMU: "sensor_msgs/msg/Imu",
    IMAGE: "sensor_msgs/msg/Image",
    CLOUD: "sensor_msgs/msg/PointCloud2",
    TRUTH: "nav_msgs/msg/Odometry",
}


class World:
    """Says things at set times, as a simulation does."""

    def __init__(self, seed=1, side=16):
        self.bus = Bus()
        self.now_ns = 0
        self.said = []  # topic, log time, measured time, message as a dictionary
        self.side = side
        self._random = np.random.default_rng(seed)
        for name, kind in _TYPES.items():
            self.bus.declare(name, kind)
        self.bus.declare(STATIC, "tf2_msgs/msg/TFMessage", latched=True)
        self.say(STATIC, 0, {"transforms": [_transform("base_link", "mid", 0.4)]})

    def recorder(self, path, topics=(), **keys):
        told = keys.pop("tell", lambda _: None)
        unpaced = keys.pop("unpaced", lambda: True)
        options = RecordingOptions(path, tuple(topics), **keys)
        now = lambda: self.now_ns  # noqa: E731
        return Recorder(self.bus, options, now_ns=now, unpaced=unpaced, tell=told)

    def run(self, steps):
        for _ in range(steps):
            self.now_ns += STEP_NS
            self._speak()

    def say(self, topic, measured_ns, values):
        message = from_dict(self.bus.channel(topic).type, values)
        self.bus.publish(topic, message, measured_ns)
        self.said.append((topic, self.now_ns, measured_ns, to_dict(message)))

    def _speak(self):
        now = self.now_ns
        self.say(CLOCK, now, {"clock": _stamp(now)})
        self.say(
            TRUTH,
            now,
            {
                "header": _header(now, "map"),
                "child_frame_id": "base_link",
                "pose": {
                    "pose": {"position": {"x": now * 1e-9, "y": 0.5}, "orientation": {"w": 1.0}}
                },
            },
        )
        turn = self._random.normal(size=3).tolist()
        rate = dict(zip("xyz", turn, strict=True))
        self.say(IMU, now, {"header": _header(now, "imu"), "angular_velocity": rate})
        if now % (5 * STEP_NS) == 0 and now > LATENCY_NS:
            self.say(IMAGE, now - LATENCY_NS, self._image(now - LATENCY_NS))
        if now % (10 * STEP_NS) == 0:
            self.say(CLOUD, now, self._cloud(now))

    def _image(self, stamp_ns):
        n = self.side
        data = self._random.integers(0, 256, n * n * 3, dtype=np.uint8)
        return {
            "header": _header(stamp_ns, "camera"),
            "height": n,
            "width": n,
            "encoding": "rgb8",
            "step": n * 3,
            "data": data,
        }

    def _cloud(self, stamp_ns):
        points = self._random.normal(size=(50, 4)).astype(np.float32)
        points[:, 3] = np.abs(points[:, 3]) * 50
        fields = [
            {"name": name, "offset": 4 * i, "datatype": 7, "count": 1}
            for i, name in enumerate(("x", "y", "z", "intensity"))
        ]
        return {
            "header": _header(stamp_ns, "mid"),
            "height": 1,
            "width": 50,
            "fields": fields,
            "point_step": 16,
            "row_step": 800,
            "data": points.view(np.uint8).ravel(),
            "is_dense": True,
        }


def record_all(path, steps=120, **keys):
    """Record a world for a while; return it and the report."""
    world = World()
    with world.recorder(path, **keys) as recorder:
        world.run(steps)
    return world, recorder.close()


def as_said(entries):
    """Return entries in the form of ``World.said``."""
    return [(e.track.topic, e.log_ns, e.measured_ns, to_dict(e.message)) for e in entries]


def _stamp(time_ns):
    return {"sec": time_ns // 10**9, "nanosec": time_ns % 10**9}


def _header(time_ns, frame):
    return {"stamp": _stamp(time_ns), "frame_id": frame}


def _transform(parent, child, z):
    return {
        "header": _header(0, parent),
        "child_frame_id": child,
        "transform": {"translation": {"z": z}, "rotation": {"w": 1.0}},
    }
