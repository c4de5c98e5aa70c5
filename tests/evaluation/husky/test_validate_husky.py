import os

import numpy as np
import pytest

from outrider.core.errors import EvaluationError
from outrider.evaluation.husky.figures import compare
from outrider.evaluation.husky.recordings import find_recordings, material_of, read_recording
from outrider.evaluation.husky.replay import Replayed, replay_recording, track_of
from outrider.evaluation.husky.validate import (
    IMU_LINK,
    ValidateOptions,
    as_json_data,
    closeness,
    validate,
    write_validation,
)
from outrider.vehicles.robot import load_robot


def write(
    folder, seconds=8.0, imu_hz=100.0, wheel_hz=6.5, turn=0.0, wheel_names="curL,curR,velL,velR"
):
    """Write a drive that only turns: 0.3 rad/s, sides 0.3 m/s apart, gravity upward."""
    folder.mkdir(parents=True, exist_ok=True)
    t = np.arange(0, seconds, 1 / imu_hz)
    imu = np.column_stack([t, 0 * t, 0 * t, 0 * t + turn, 0 * t, 0 * t, 0 * t + 9.81])
    np.savetxt(
        folder / "imu_1.csv", imu, delimiter=",", header="time,wx,wy,wz,ax,ay,az", comments=""
    )
    t = np.arange(0, seconds, 1 / wheel_hz)
    columns = {"velL": 0.2 - turn / 2, "velR": 0.2 + turn / 2, "curL": 2.0, "curR": 4.0}
    table = np.column_stack([t, *(0 * t + columns[n] for n in wheel_names.split(","))])
    np.savetxt(
        folder / "pro_1.csv", table, delimiter=",", header=f"time,{wheel_names}", comments=""
    )


def test_both_layouts_are_read_by_the_names_of_their_columns(tmp_path):
    write(tmp_path / "ICE")
    write(tmp_path / "CONCRETE", imu_hz=50, wheel_hz=15, wheel_names="velL,velR,curL,curR")
    concrete, ice = (read_recording(path) for path in find_recordings(tmp_path))
    assert (ice.name, ice.imu_hz) == ("ICE/1", pytest.approx(100))
    assert (concrete.name, concrete.imu_hz) == ("CONCRETE/1", pytest.approx(50))
    for recording in (ice, concrete):
        assert recording.speeds[0] == pytest.approx([0.2, 0.2])
        assert recording.currents[0] == pytest.approx([2.0, 4.0])
    assert material_of("SANDY_LOAM") == "sandy-loam"


def test_single_wheel_samples_that_read_half_are_mended_in_fast_data(tmp_path):
    write(tmp_path / "CONCRETE", imu_hz=50, wheel_hz=15)
    path = tmp_path / "CONCRETE" / "pro_1.csv"
    rows = np.loadtxt(path, delimiter=",", skiprows=1)
    rows[::4, 3:] /= 2
    np.savetxt(path, rows, delimiter=",", header="time,curL,curR,velL,velR", comments="")
    speeds = read_recording(tmp_path / "CONCRETE" / "imu_1.csv").speeds
    assert speeds[2:-2] == pytest.approx(np.full_like(speeds[2:-2], 0.2))


def test_a_replay_that_felt_the_same_has_ratios_of_one_and_the_true_track(tmp_path):
    write(tmp_path / "ICE", turn=0.3)
    recording = read_recording(tmp_path / "ICE" / "imu_1.csv")
    wave = np.sin(2 * np.pi * 10 * recording.imu_s)[:, None] * np.arange(1, 7)
    shaken = type(recording)(
        **{name: getattr(recording, name) for name in recording.__dataclass_fields__}
        | {"imu": recording.imu + wave}
    )
    same = Replayed(
        recording.imu_s, recording.imu + 2 * wave, recording.wheels_s, recording.currents
    )
    found = compare(shaken, "ice", [same, same])
    assert found.ratios == pytest.approx(np.full(6, 2.0), rel=1e-6)
    assert found.real.centroid_hz == pytest.approx(10, abs=0.2)
    assert found.real.track_m == pytest.approx(1.0, abs=0.02)  # 0.3 m/s over 0.3 rad/s
    assert found.simulated.current_a == pytest.approx(3.0)
    assert found.angular_error == pytest.approx(2 * (1 + 2 + 3), rel=0.06)  # ranges twice as large
    assert closeness([found])["shaking_wx_wy_az_within_20_percent"] == 0.0


def test_an_imu_on_a_mast_feels_more_of_every_pitch(tmp_path):
    write(tmp_path / "SANDY_LOAM", seconds=5.0)
    recording = read_recording(tmp_path / "SANDY_LOAM" / "imu_1.csv")
    low, high = (
        replay_recording(recording, "sandy-loam", (0.19, 0.0, z), seed=1, seconds=4.0)
        for z in (0.149, 0.8)
    )
    assert high.imu[:, 3].std() > 1.5 * low.imu[:, 3].std()
    assert high.imu[:, 1] == pytest.approx(low.imu[:, 1])  # rates are the same everywhere
    assert low.imu[:, 5].mean() == pytest.approx(9.81, abs=0.1)
    assert low.currents.mean() > 1.94


def test_the_real_husky_on_ice_is_replayed_and_written_down(shared_data, tmp_path):
    pytest.importorskip("matplotlib")
    options = ValidateOptions(only="ICE/04", seconds=5.0)
    found = validate(shared_data / "husky_borealtc", options)
    assert [item.name for item in found] == ["ICE/04"]
    (item,) = found
    assert item.real.track_m == pytest.approx(0.79, abs=0.25)  # most of five seconds is the ramp
    assert item.simulated.track_m == pytest.approx(item.real.track_m, rel=0.25)
    assert as_json_data(found)["recordings"][0]["ground"] == "ice"
    page, text = write_validation(tmp_path, found, options)
    assert page.read_text().count("data:image/svg") == 2
    assert "| ICE/04 | ice |" in text.read_text()


def test_the_effective_track_is_that_of_the_robots_file():
    assert track_of(load_robot("husky").drivetrain) == pytest.approx(0.5708 * 1.875)
    assert IMU_LINK == (0.19, 0.0, 0.149)


def test_broken_recordings_are_named(tmp_path):
    with pytest.raises(EvaluationError, match="there is no folder"):
        find_recordings(tmp_path / "none")
    with pytest.raises(EvaluationError, match="holds no recordings: expected imu_N"):
        find_recordings(tmp_path)
    write(tmp_path / "MUD")
    with pytest.raises(
        EvaluationError, match=r"'MUD' is not a known terrain; use --ground MATERIAL"
    ):
        validate(tmp_path, ValidateOptions())
    with pytest.raises(EvaluationError, match="no recording's name contains 'ICE'"):
        validate(tmp_path, ValidateOptions(only="ICE"))
    (tmp_path / "MUD" / "pro_1.csv").unlink()
    with pytest.raises(EvaluationError, match=r"pro_1\.csv: cannot be read as a recording"):
        read_recording(tmp_path / "MUD" / "imu_1.csv")
    write(tmp_path / "MUD", wheel_names="velL,velR,curL")
    with pytest.raises(EvaluationError, match="there is no column 'curR'; it has time, velL"):
        read_recording(tmp_path / "MUD" / "imu_1.csv")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have names only on Unix")
def test_a_pipe_is_no_recording(tmp_path):
    os.mkfifo(tmp_path / "imu_1.csv")
    with pytest.raises(EvaluationError, match="is not a file"):
        read_recording(tmp_path / "imu_1.csv")
