"""Motors of all vehicles at once: speed or angle held by torque, within torque and power limits."""

import math

import numpy as np
from numba import carray
from numpy.typing import NDArray

from outrider.core.address import doubles, pointer
from outrider.core.compiled import compiled
from outrider.core.packed_arrays import PackedArrays, bundle_type
from outrider.physics.engine import PhysicsEngine
from outrider.physics.tyres.data import Record, Records
from outrider.world.state import JOINT

SPEED, ANGLE, HELD = 0, 1, 2  # a joint that is held has an angle, too

MOTOR = np.dtype(
    [
        ("joint", np.int32),
        ("mode", np.int32),
        ("power", np.float64),
        ("torque", np.float64),
        ("gain", np.float64),
        ("integral", np.float64),
        ("time_constant", np.float64),
        ("resistance", np.float64),
        ("brake", np.float64),  # N m, when parked; at a held joint what the integral adds at most
        ("rate", np.float64),  # the fastest an angle is set, rad/s
        ("inertia", np.float64),  # of what it turns, kg m^2
        ("target", np.float64),  # rad/s, or rad for an angle
        # kept from step to step
        ("setpoint", np.float64),
        ("wound", np.float64),  # the integral, rad
        ("braking", np.float64),  # 1 while the parking brake is on
        ("anchor", np.float64),  # the angle it holds
        ("last_torque", np.float64),
        ("last_speed", np.float64),
    ]
)
MOTOR_STEP = bundle_type(arrays="motors joints loads predicted", numbers="dt")
_NAMES = MOTOR.names or ()
MOTOR_STATE = _NAMES[_NAMES.index("target") :]  # what changes from step to step
_BRAKE_PLAY = 0.002  # rad that a brake gives at its full torque
_BRAKE_SPEED = 0.3  # rad/s below which a parking brake closes
_ANGLE_GAIN = 25.0  # rad/s of set speed per rad of error
_FRICTION_SPEED = 0.05  # rad/s at which a drive's friction is fully there


@compiled
def motor_step(address: int) -> None:  # pragma: no cover - compiled
    """Take the address of a MOTOR_STEP; turn all motors."""
    c = carray(pointer(address), 1, MOTOR_STEP)[0]
    turn(
        carray(pointer(c.motors.at), c.motors.rows, MOTOR),
        carray(pointer(c.joints.at), c.joints.rows, JOINT),
        doubles(c.loads.at, c.loads.rows),
        doubles(c.predicted.at, c.predicted.rows),
        c.dt,
    )


@compiled
def turn(
    motors: Records,
    joints: Records,
    loads: NDArray[np.float64],
    predicted: NDArray[np.float64],
    dt: float,
) -> None:  # pragma: no cover - compiled
    """Add every motor's torque to the loads, and predict the speed it leads to by itself."""
    for i in range(predicted.shape[0]):
        predicted[i] = joints[i].velocity
    for i in range(motors.shape[0]):
        m = motors[i]
        speed, angle = joints[m.joint].velocity, joints[m.joint].position
        _follow_target(m, angle, dt)
        _park(m, speed, angle)
        # what ground and gravity did to the joint in the last step, and will do again
        outside = m.inertia * (speed - m.last_speed) / dt - m.last_torque
        given = loads[m.joint]  # by components
        if m.mode == HELD and given != 0.0:
            m.target, m.wound, torque = angle, 0.0, 0.0  # held again where it is left
        elif m.braking == 1.0:
            torque = _brake(m, speed, angle, outside, dt)
        else:
            torque = _drive(m, speed, outside, dt)
        torque += _friction(m, speed, dt)
        m.last_torque, m.last_speed = torque, speed
        if m.mode == HELD:
            m.last_torque += given
        loads[m.joint] += torque
        predicted[m.joint] += dt * torque / m.inertia


@compiled
def _follow_target(m: Record, angle: float, dt: float) -> None:  # pragma: no cover - compiled
    """Move the speed set point towards what is asked for, as fast as the drive's lag lets it."""
    wanted = m.target
    if m.mode != SPEED:
        wanted = min(m.rate, max(-m.rate, _ANGLE_GAIN * (m.target - angle)))
    if m.time_constant > 0.0:
        m.setpoint += (wanted - m.setpoint) * (1.0 - math.exp(-dt / m.time_constant))
    else:
        m.setpoint = wanted


@compiled
def _park(m: Record, speed: float, angle: float) -> None:  # pragma: no cover - compiled
    """Close the parking brake once the wheel has come to rest, open it for any other target."""
    if m.mode != SPEED or m.brake <= 0.0 or m.target != 0.0:
        m.braking = 0.0
    elif m.braking == 0.0 and abs(speed) < _BRAKE_SPEED and abs(m.setpoint) < _BRAKE_SPEED:
        m.braking, m.anchor, m.wound = 1.0, angle, 0.0


@compiled
def _drive(m: Record, speed: float, outside: float, dt: float) -> float:  # pragma: no cover
    """Return the controller's torque, solved for the speed at the end of the step."""
    error = m.setpoint - speed
    wanted = m.gain * error + m.integral * (m.wound + error * dt)
    quick = m.gain * dt / m.inertia
    torque: float = (wanted - quick * outside) / (1.0 + quick)
    most: float = m.torque
    if torque * speed > 0.0:
        most = min(most, m.power / abs(speed))
    if abs(torque) <= most:
        m.wound += error * dt
        if m.mode == HELD:
            fill = m.brake / m.integral
            m.wound = min(fill, max(-fill, m.wound))
        return torque
    return most if torque > 0.0 else -most


@compiled
def _brake(
    m: Record, speed: float, angle: float, outside: float, dt: float
) -> float:  # pragma: no cover - compiled
    """Return the torque of a closed brake: a stiff spring that slips at its limit."""
    stiff = m.brake / _BRAKE_PLAY
    damp = 2.0 * math.sqrt(stiff * m.inertia)
    wanted = -(stiff * (angle - m.anchor + dt * speed) + damp * speed)
    quick = (stiff * dt + damp) * dt / m.inertia
    torque: float = (wanted - quick * outside) / (1.0 + quick)
    if abs(torque) > m.brake:
        torque = m.brake if torque > 0.0 else -m.brake
        m.anchor = angle + torque / stiff
    return torque


@compiled
def _friction(m: Record, speed: float, dt: float) -> float:  # pragma: no cover - compiled
    """Return the torque with which the gear resists turning."""
    most: float = m.resistance
    slope = most / _FRICTION_SPEED
    drag: float = -slope * speed / (1.0 + slope * dt / m.inertia)
    return min(most, max(-most, drag))


def braked(motors: Records) -> NDArray[np.bool_]:
    """Return which motors have a parking brake."""
    have: NDArray[np.bool_] = (motors["mode"] == SPEED) & (motors["brake"] > 0.0)
    return have


def hold_with(motors: Records, positions: NDArray[np.float64], torque: NDArray[np.float64]) -> None:
    """Close all parking brakes at these positions, and let all that hold still hold a torque."""
    brakes, holds = braked(motors), motors["mode"] == HELD
    most = np.where(brakes | holds, motors["brake"], 0.0)
    held = np.clip(torque[motors["joint"]], -most, most)
    motors["last_torque"] = held
    motors["braking"][brakes] = 1.0
    give = _BRAKE_PLAY / motors["brake"][brakes]
    motors["anchor"][brakes] = positions[motors["joint"][brakes]] + held[brakes] * give
    motors["wound"][holds] = held[holds] / motors["integral"][holds]


class Motors:
    """Rows of MOTOR; ``apply`` adds their torque to an engine's loads."""

    def __init__(self, rows: Records, joints: int) -> None:
        self.rows = rows
        self.predicted = np.zeros(joints)  # made anew in every step
        self._engine: PhysicsEngine | None = None

    def apply(self, engine: PhysicsEngine, dt: float) -> None:
        """Turn the joints."""
        if self._engine is not engine:
            self._bind(engine, dt)
        motor_step(self._bundle.address)

    def _bind(self, engine: PhysicsEngine, dt: float) -> None:
        """Prepare the compiled step for an engine's arrays, which stay where they are."""
        self._engine = engine
        self._bundle = PackedArrays(
            MOTOR_STEP,
            motors=self.rows,
            joints=engine.state.joints,
            loads=engine.loads.joints,
            predicted=self.predicted,
            dt=dt,
        )
