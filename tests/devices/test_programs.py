"""Programs of others, unmodified, on our serial ports: pycreate2, gpsd, MRPT."""

import json
import os
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from serial_bench import running
from waiting import free_port, stop_program, wait_until

ROOM = {"world": "roomba-room", "robots": [{"model": "create"}]}
SICK = {
    "world": "sick-boxes",
    "robots": [],
    "sensors": [{"name": "sick", "model": "sick-lms200-serial", "pose": {"z": 0.3}}],
}
GPS = {
    "world": "empty",
    "robots": [],
    "sensors": [{"name": "gps", "model": "ublox-m8", "pose": {"z": 2.0}}],
}


def needs(program):
    found = shutil.which(program, path=f"{os.environ['PATH']}:/usr/sbin")
    return pytest.mark.skipif(not found, reason=f"{program} is not installed")


@pytest.mark.peer
def test_pycreate2_drives_the_create_and_reads_its_sensors(tmp_path):
    create2 = pytest.importorskip("pycreate2", reason="pycreate2 is not installed")
    with running(ROOM, tmp_path) as run:
        robot = create2.Create2(str(tmp_path / "create"))
        robot.sleep_timer = 0.05
        robot.start()
        robot.safe()
        before = robot.get_sensors()
        assert before.open_interface_mode == 2
        assert before.voltage > 13_000
        handle = run.simulation.robots["create"]
        start = handle.pose.position.copy()
        robot.drive_direct(200, 200)
        wait_until(lambda: np.linalg.norm(handle.pose.position - start) > 0.3, "30 cm")
        robot.drive_stop()
        wait_until(lambda: abs(handle.velocity[0]) < 1e-3, "standing")
        after = robot.get_sensors()
        driven = 1000 * float(np.linalg.norm(handle.pose.position - start))
        assert after.distance == pytest.approx(driven, abs=5.0)
        ticks = (after.encoder_counts_left - before.encoder_counts_left) % 65536
        assert ticks == pytest.approx(driven / (np.pi * 72.0) * 508.8, rel=0.02)
        assert after.current < 0
        del robot  # it switches the robot off


@pytest.mark.peer
@needs("gpsd")
@needs("gpspipe")
def test_gpsd_reports_a_fix_at_the_right_place(tmp_path):
    with running(GPS, tmp_path):
        (port,) = [file for file in tmp_path.iterdir() if file.name.startswith("gps")]
        number = free_port()
        program = shutil.which("gpsd", path="/usr/sbin:/usr/bin")
        daemon = subprocess.Popen(
            [program, "-N", "-n", "-S", str(number), str(port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            fix, sky = _heard(number)
        finally:
            stop_program(daemon)
    assert fix["mode"] == 3
    assert fix["lat"] == pytest.approx(49.9, abs=2e-4)  # 20 m; the receiver wanders by 2 m
    assert fix["lon"] == pytest.approx(8.9, abs=2e-4)
    assert len(sky["satellites"]) >= 6


def _heard(number):
    """Return the first fix and sky that gpsd reports; it takes a while to trust a port."""
    end, found = time.monotonic() + 60, {}
    while time.monotonic() < end and set(found) < {"TPV", "SKY"}:
        said = subprocess.run(
            ["gpspipe", "-w", "-x", "3", f"127.0.0.1:{number}"],
            capture_output=True,
            text=True,
            check=False,  # gpsd may not listen yet
        )
        for line in said.stdout.splitlines():
            report = json.loads(line)
            good = report.get("mode") == 3 or report.get("satellites")
            if report["class"] in ("TPV", "SKY") and good:
                found[report["class"]] = report
    return found["TPV"], found["SKY"]


_INI = """
[global]
rawlog_prefix = {folder}/scans
time_between_launches = 100
use_sensoryframes = 0
GRABBER_PERIOD_MS = 10
rawlog_GZ_compress_level = 0
[LASER]
driver = CSickLaserSerial
process_rate = 75
sensorLabel = LASER
COM_port_LIN = {folder}/sick
COM_baudRate = 38400
mm_mode = 1
FOV = 180
resolution = 50
"""


@pytest.mark.peer
@needs("rawlog-grabber")
@needs("rawlog-edit")
def test_mrpts_driver_of_the_lms_200_reads_our_scans(tmp_path):
    (tmp_path / "sick.ini").write_text(_INI.format(folder=tmp_path))
    with running(SICK, tmp_path, f",log={tmp_path / 'bytes.txt'}") as run:
        grabber = subprocess.Popen(
            ["rawlog-grabber", str(tmp_path / "sick.ini")],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            wait_until(lambda: _size(tmp_path) > 40_000, "20 scans", 60.0)
        finally:
            stop_program(grabber)
        truth = run.simulation.bus.subscribe("/scan")
        wait_until(lambda: truth.latest, "a scan")
        expected = np.asarray(truth.latest[1].ranges)[::2]
    (rawlog,) = tmp_path.glob("scans*.rawlog")
    subprocess.run(
        ["rawlog-edit", "--export-2d-scans-txt", "-i", rawlog.name],
        cwd=tmp_path,
        capture_output=True,
        check=False,  # it says that the file, which was cut short, ends early
    )
    (text,) = tmp_path.glob("scans*_LASER.txt")
    rows = np.loadtxt(text, comments="%", ndmin=2)
    assert rows.shape[1] == 1 + 2 * 361  # time, ranges, whether they are valid
    scans = rows[:, 1:362]
    assert len(scans) >= 15
    seen = expected < 8.0
    assert seen.sum() > 150
    assert np.abs(np.median(scans, axis=0) - expected)[seen].max() < 0.03  # five sigma of noise
    assert " sick < 02 00 02 00 20 24 34 08" in (tmp_path / "bytes.txt").read_text()


def _size(folder):
    return sum(file.stat().st_size for file in folder.glob("scans*.rawlog"))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")
def test_the_create_drives_half_a_metre_and_stops_by_bytes_alone(tmp_path):
    import serial

    with running(ROOM, tmp_path) as run, serial.Serial(str(tmp_path / "create")) as line:
        line.timeout = 30
        handle = run.simulation.robots["create"]
        start = handle.pose.position.copy()
        line.write(bytes([128, 132, 137, 0, 250, 128, 0, 156, 1, 244, 137, 0, 0, 0, 0, 142, 19]))
        line.read(2)
        wait_until(lambda: abs(handle.velocity[0]) < 1e-3, "standing")
        driven = float(np.linalg.norm(handle.pose.position - start))
        assert 0.49 < driven < 1.0  # half a metre, and more where the computer is busy
