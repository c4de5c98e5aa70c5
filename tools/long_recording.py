"""Record a Jackal with stereo 1024x768 at 20 Hz and a VLP-16 at 10 Hz for minutes; look for gaps.

python tools/long_recording.py long.mcap --minutes 5          as fast as it goes, without losses
python tools/long_recording.py long.mcap --real-time          as it goes; what is left out is a gap

Five minutes are 29 GB before compression. The file is read back by the library ``mcap``, not by
ours; the exit code is 1 if a message is missing.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from mcap.reader import make_reader

from outrider.recording.recorder import RecordingOptions
from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Drive, RobotEntry, Scenario
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec

PERIODS_MS = {
    "/front/left/image_raw": 50,
    "/front/right/image_raw": 50,
    "/front/left/camera_info": 50,
    "/front/right/camera_info": 50,
    "/mid/points": 100,
    "/imu/data": 20,
    "/ground_truth/state": 20,
}


def main() -> int:
    """Record, then look."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--world", default="hratc")
    parser.add_argument("--real-time", action="store_true")
    asked = parser.parse_args()
    record(asked.file, asked.world, 60.0 * asked.minutes, 1.0 if asked.real_time else 0.0)
    return 0 if told(asked.file, 60.0 * asked.minutes) else 1


def record(path: Path, world: str, seconds: float, speed: float) -> None:
    """Drive in a circle and record all of it."""
    lidar = SensorEntry(
        "mid", "velodyne-vlp16", pose=PoseSpec(z=0.4), topics={"points": "/mid/points"}
    )
    robot = RobotEntry("jackal", sensors=(lidar,), motion=Drive(speed=0.4, yaw_rate_deg=25.0))
    options = RecordingOptions(path, (*PERIODS_MS, "/tf*", "/clock@50"), overwrite=True)
    run = Run(
        Scenario(world=world, robots=(robot,), duration_s=seconds), speed=speed, recording=options
    )
    run.go()
    assert run.recorder is not None
    print(run.recorder.report.sentence())


def told(path: Path, seconds: float) -> bool:
    """Print what each topic has and lacks; tell whether none lacks anything."""
    whole = True
    for topic, times_ns in read(path).items():
        period_ns = PERIODS_MS[topic] * 1_000_000
        steps = np.diff(np.sort(times_ns))
        expected = int(seconds * 1e9) // period_ns
        enough = len(times_ns) >= expected - 3  # the last are under way when it ends
        good = enough and len(steps) > 0 and steps.max() < 1.5 * period_ns
        whole = whole and good
        longest_ms = steps.max() / 1e6 if len(steps) else float("nan")
        verdict = "whole" if good else "HAS A GAP"
        print(f"{topic:28} {len(times_ns):7} of {expected:7}  {longest_ms:6.1f} ms  {verdict}")
    return whole


def read(path: Path) -> dict[str, list[int]]:
    """Return the times at which each message was measured, by topic."""
    found: dict[str, list[int]] = {topic: [] for topic in PERIODS_MS}
    with path.open("rb") as file:
        for _, channel, message in make_reader(file).iter_messages(list(PERIODS_MS)):
            found[channel.topic].append(message.publish_time)
    return found


if __name__ == "__main__":
    sys.exit(main())
