"""What an inertial unit shows of its motion: all its errors, in one compiled call."""

import numpy as np
from numba import carray

from outrider.core.address import doubles, pointer, stack_memory
from outrider.core.compiled import compiled
from outrider.core.packed_arrays import PackedArrays, bundle_type
from outrider.sensors.imu.attitude import Attitude, misread
from outrider.sensors.imu.motion import ImuMotion
from outrider.sensors.noise import Chain
from outrider.sensors.noise_kernel import ERROR, add_biases, change, supplied

_MODES = ("ahrs", "true", "none")
_AHRS, _TRUE = 0, 1
_READING = bundle_type(
    arrays="force rate rotation accelerometer gyroscope yaw tilt shown",
    integers="mode",
    numbers="gravity",
)


@compiled
def read(address: int) -> bool:  # pragma: no cover - compiled
    """Take the address of a _READING; if errors lack random numbers, do nothing but say so."""
    c = carray(pointer(address), 1, _READING)[0]
    accelerometer = carray(pointer(c.accelerometer.at), c.accelerometer.rows, ERROR)
    gyroscope = carray(pointer(c.gyroscope.at), c.gyroscope.rows, ERROR)
    yaw_errors = carray(pointer(c.yaw.at), c.yaw.rows, ERROR)
    tilt_errors = carray(pointer(c.tilt.at), c.tilt.rows, ERROR)
    if not (supplied(accelerometer) and supplied(gyroscope)):
        return False
    if c.mode == _AHRS and not (supplied(yaw_errors) and supplied(tilt_errors)):
        return False
    shown, rotation = doubles(c.shown.at, 10), doubles(c.rotation.at, 4)
    force, rate, turned = shown[:3], shown[3:6], shown[6:]
    force[:] = doubles(c.force.at, 3)
    rate[:] = doubles(c.rate.at, 3)
    change(accelerometer, force)
    change(gyroscope, rate)
    if c.mode == _AHRS:
        wrong = doubles(stack_memory(48), 6)
        wrong[:] = 0.0
        yaw, tilt, lean = wrong[:1], wrong[1:3], wrong[3:]
        change(yaw_errors, yaw)
        change(tilt_errors, tilt)
        add_biases(accelerometer, lean)
        lean /= c.gravity
        turned[0], turned[1], turned[2], turned[3] = misread(rotation, yaw[0], tilt, lean)
    elif c.mode == _TRUE:
        turned[:] = rotation
    return True


class ImuReading:
    """The last values shown: force, rate and attitude, ten numbers in one array."""

    def __init__(
        self, motion: ImuMotion, accelerometer: Chain, gyroscope: Chain, filter_: Attitude
    ) -> None:
        self.numbers = np.concatenate([motion.force, motion.rate, [0.0, 0.0, 0.0, 1.0]])
        wander = (filter_.yaw, filter_.tilt) if filter_.mode == "ahrs" else ()
        self._chains: tuple[Chain, ...] = (accelerometer, gyroscope, *wander)
        self._bundle = PackedArrays(
            _READING,
            force=motion.force,
            rate=motion.rate,
            rotation=motion.rotation,
            accelerometer=accelerometer.table,
            gyroscope=gyroscope.table,
            yaw=filter_.yaw.table,
            tilt=filter_.tilt.table,
            shown=self.numbers,
            mode=_MODES.index(filter_.mode),
            gravity=filter_.gravity,
        )

    def update(self, dt: float) -> None:
        """Show the motion ``dt`` seconds after the last time."""
        for chain in self._chains:
            chain.tune(dt)
        if not read(self._bundle.address):
            for chain in self._chains:
                chain.refill()
            read(self._bundle.address)

    def skip(self, dts: list[float]) -> None:
        """Pass over readings that nobody wants, each so many seconds after the one before."""
        for chain in self._chains:
            chain.skip(dts)
