"""Statistics of a real drive and its replay: means, ranges, vibration, spectra, track, current."""

from dataclasses import dataclass

import numpy as np

from outrider.core.frames import Array
from outrider.evaluation.husky.recordings import HuskyRecording
from outrider.evaluation.husky.replay import Replayed
from outrider.evaluation.measures.imu import AxisFigures, axis_figures, imu_error
from outrider.evaluation.measures.spectrum import centroid_hz, power_density

AXES = ("wx", "wy", "wz", "ax", "ay", "az")
_CUT_S = 1.0  # at either end: ramps
_SLOW_HZ = 0.5  # slower than this is steering, not shaking
_TURNING = 0.04  # m/s between the sides
_CURRENT_BEYOND_S = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class HuskyDrive:
    """One drive, real or simulated, without its start and end."""

    angular: AxisFigures
    linear: AxisFigures
    shaking: Array  # standard deviations of the six axes, above 0.5 Hz
    centroid_hz: float  # of the vertical acceleration
    spectrum: tuple[Array, Array]
    track_m: float | None  # effective, in steady turns
    current_a: float  # mean of both sides


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A recording and its replays."""

    name: str
    material: str
    seconds: float
    speed: float  # median of both sides
    real: HuskyDrive
    simulated: HuskyDrive  # figures averaged over seeds
    angular_error: float  # equation 7, rad/s
    linear_error: float  # m/s^2

    @property
    def ratios(self) -> Array:
        """Ratio of simulated to real vibration, per axis."""
        found: Array = self.simulated.shaking / np.maximum(self.real.shaking, 1e-12)
        return found


def compare(recording: HuskyRecording, material: str, runs: list[Replayed]) -> Compared:
    """Compare statistics of a recording with those of its replays."""
    seconds = float(min(run.imu_s[-1] for run in runs))
    real = _real(recording, seconds)
    simulated = _mean([_simulated(recording, run, seconds) for run in runs])
    return Compared(
        name=recording.name,
        material=material,
        seconds=seconds,
        speed=float(np.median(recording.speeds.mean(axis=1))),
        real=real,
        simulated=simulated,
        angular_error=imu_error(simulated.angular, real.angular).total,
        linear_error=imu_error(simulated.linear, real.linear).total,
    )


def _real(recording: HuskyRecording, seconds: float) -> HuskyDrive:
    wheels = (recording.wheels_s >= _CUT_S) & (recording.wheels_s <= seconds - _CUT_S)
    current = float(recording.currents[wheels].mean()) if wheels.any() else 0.0
    return _drive(recording, recording.imu_s, recording.imu, seconds, current)


def _simulated(recording: HuskyRecording, run: Replayed, seconds: float) -> HuskyDrive:
    steady = (run.power_s >= _CURRENT_BEYOND_S) & (run.power_s <= seconds - _CUT_S)
    current = float(run.currents[steady].mean()) if steady.any() else 0.0
    return _drive(recording, run.imu_s, run.imu, seconds, current)


def _drive(
    recording: HuskyRecording, times_s: Array, imu: Array, seconds: float, current: float
) -> HuskyDrive:
    steady = (times_s >= _CUT_S) & (times_s <= seconds - _CUT_S)
    if steady.sum() < 16:
        steady = np.ones(len(times_s), np.bool_)
    times_s, imu = times_s[steady], imu[steady]
    rate = 1.0 / float(np.median(np.diff(times_s)))
    shaking = np.array([_fast_deviation(imu[:, axis], rate) for axis in range(6)])
    spectrum = power_density(imu[:, 5], rate)
    return HuskyDrive(
        angular=axis_figures(imu[:, :3]),
        linear=axis_figures(imu[:, 3:]),
        shaking=shaking,
        centroid_hz=centroid_hz(*spectrum),
        spectrum=spectrum,
        track_m=_track(recording, times_s, imu[:, 2]),
        current_a=current,
    )


def _fast_deviation(values: Array, rate_hz: float) -> float:
    """Return the standard deviation of what is faster than steering."""
    spectrum = np.fft.rfft(values - values.mean())
    spectrum[np.fft.rfftfreq(len(values), 1.0 / rate_hz) < _SLOW_HZ] = 0.0
    return float(np.fft.irfft(spectrum, len(values)).std())


def _track(recording: HuskyRecording, times_s: Array, yaw_rate: Array) -> float | None:
    """Return B = (right - left) / yaw rate, of the means where sides differ."""
    speeds = recording.wheel_speeds(times_s)
    apart = speeds[:, 1] - speeds[:, 0]
    turning = np.abs(apart) > _TURNING
    if turning.sum() < len(apart) / 2:
        return None
    turned = float((yaw_rate[turning] * np.sign(apart[turning])).mean())
    return float(np.abs(apart[turning]).mean()) / turned if abs(turned) > 1e-3 else None


def _mean(drives: list[HuskyDrive]) -> HuskyDrive:
    """Return the mean of several drives' figures."""
    tracks = [drive.track_m for drive in drives if drive.track_m is not None]
    power = np.mean([drive.spectrum[1] for drive in drives], axis=0)
    return HuskyDrive(
        angular=_mean_axes([drive.angular for drive in drives]),
        linear=_mean_axes([drive.linear for drive in drives]),
        shaking=np.mean([drive.shaking for drive in drives], axis=0),
        centroid_hz=float(np.mean([drive.centroid_hz for drive in drives])),
        spectrum=(drives[0].spectrum[0], power),
        track_m=float(np.mean(tracks)) if tracks else None,
        current_a=float(np.mean([drive.current_a for drive in drives])),
    )


def _mean_axes(found: list[AxisFigures]) -> AxisFigures:
    return AxisFigures(
        np.mean([f.mean for f in found], axis=0),
        np.mean([f.top for f in found], axis=0),
        np.mean([f.bottom for f in found], axis=0),
    )
