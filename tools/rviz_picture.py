"""Show a running simulation in the real rviz, on a virtual display, and take a picture of it.

    python tools/rviz_picture.py docs/images/ros1-rviz.png

Needs the programs of tools/peers/debian.txt. Software OpenGL is enough.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from outrider.scenarios.run import Run
from outrider.scenarios.scenario import Drive, RobotEntry, Scenario
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import BoxSpec, CylinderSpec, ObjectSpec, PoseSpec

SIZE = (1280, 800)
THINGS = (
    ObjectSpec(
        "crate",
        pose=PoseSpec(3.0, 1.2),
        shape=BoxSpec(size=(0.8, 0.8, 0.8)),
        colour=(0.7, 0.4, 0.1, 1.0),
    ),
    ObjectSpec(
        "wall",
        pose=PoseSpec(5.0, -1.0),
        shape=BoxSpec(size=(0.2, 5.0, 1.5)),
        colour=(0.3, 0.5, 0.7, 1.0),
    ),
    ObjectSpec(
        "post",
        pose=PoseSpec(2.2, -1.2),
        shape=CylinderSpec(radius=0.2, length=1.2),
        colour=(0.8, 0.1, 0.1, 1.0),
    ),
)
SENSORS = (
    SensorEntry("velodyne", "velodyne-vlp16", pose=PoseSpec(0.0, 0.0, 0.45)),
    SensorEntry("scanner", "sick-lms111", pose=PoseSpec(0.2, 0.0, 0.25)),
    SensorEntry(
        "camera",
        "camera",
        pose=PoseSpec(0.2, 0.0, 0.4),
        rate_hz=4.0,
        set={"width": 320, "height": 240},
    ),
)
CONFIG = """
Panels:
  - Class: rviz/Displays
    Name: Displays
    Tree Height: 300
Visualization Manager:
  Displays:
    - {Class: rviz/Grid, Name: Grid, Enabled: true, Cell Size: 1, Plane Cell Count: 12}
    - Class: rviz/RobotModel
      Name: RobotModel
      Enabled: true
      Robot Description: robot_description
    - {Class: rviz/TF, Name: TF, Enabled: true, Marker Scale: 0.5, Show Names: false}
    - Class: rviz/LaserScan
      Name: LaserScan
      Enabled: true
      Topic: {scan}
      Style: Spheres
      Size (m): 0.05
      Color Transformer: FlatColor
      Color: 255; 30; 30
    - Class: rviz/PointCloud2
      Name: PointCloud2
      Enabled: true
      Topic: {cloud}
      Style: Points
      Size (Pixels): 3
      Color Transformer: AxisColor
      Axis: Z
    - {Class: rviz/Image, Name: Image, Enabled: true, Image Topic: {image}}
  Global Options: {Fixed Frame: odom, Background Color: 40; 44; 52, Frame Rate: 10}
  Views:
    Current:
      Class: rviz/Orbit
      Distance: 5
      Pitch: 0.6
      Yaw: 3.6
      Focal Point: {X: 1.0, Y: 0, Z: 0}
Window Geometry: {Width: 1280, Height: 800, X: 0, Y: 0, Displays: {collapsed: false}}
"""


def main(picture: Path, seconds: float = 25.0) -> None:
    """Run simulation, display and rviz, and write the picture."""
    jackal = RobotEntry("jackal", sensors=SENSORS, motion=(Drive(speed=0.05),))
    scenario = Scenario(
        robots=(jackal,), obstacles=THINGS, duration_s=None, bridges=("ros1:master=own,port=0",)
    )
    run = Run(scenario, speed=1.0)
    thread = threading.Thread(target=run.go, daemon=True)
    thread.start()
    while not run.bridges:
        time.sleep(0.1)
    bridge = run.bridges[0]
    bridge.node.registrar.registered.wait(60.0)
    try:
        with tempfile.TemporaryDirectory() as home:
            _show(bridge, Path(home), picture, seconds)
    finally:
        run.runner.stop()
        thread.join()


def _show(bridge: Any, home: Path, picture: Path, seconds: float) -> None:
    names = {p.kind.name: topic for topic, p in bridge.node.publications.items()}
    config = CONFIG.replace("{scan}", names["sensor_msgs/LaserScan"])
    config = config.replace("{cloud}", names["sensor_msgs/PointCloud2"])
    config = config.replace("{image}", names["sensor_msgs/Image"])
    (home / "show.rviz").write_text(config)
    number, writer = os.pipe()
    size = f"{SIZE[0]}x{SIZE[1]}x24"
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", size, "+extension", "GLX"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    display = f":{os.read(number, 16).decode().strip()}"
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "DISPLAY": display,
        "ROS_MASTER_URI": bridge.node.master,
        "ROS_HOSTNAME": "localhost",
        "ROS_PACKAGE_PATH": "/usr/share",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "QT_X11_NO_MITSHM": "1",
    }
    log = (home / "rviz.log").open("w+")
    viewer = subprocess.Popen(
        ["rviz", "-d", "show.rviz"], env=env, cwd=home, stdout=log, stderr=log
    )
    try:
        time.sleep(seconds)
        if viewer.poll() is not None:
            raise SystemExit(f"rviz ended: {(home / 'rviz.log').read_text()[-800:]}")
        shot = ["import", "-display", display, "-window", "root", str(picture.resolve())]
        subprocess.run(shot, env=env, check=True)
        print((home / "rviz.log").read_text()[-800:])
    finally:
        for process in (viewer, screen):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(float, sys.argv[2:3]))
