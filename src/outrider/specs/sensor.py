"""Sensors in files: specifications in the library, and entries on a robot or in the world."""

from dataclasses import dataclass, field

import numpy as np

from outrider.core.frames import Pose
from outrider.core.structure import Data, number
from outrider.specs.world import PoseSpec

LOWEST_RATE_HZ = 1e-4  # less than once in three hours
AT_LINK = PoseSpec(z=0.0)


@dataclass(frozen=True, slots=True)
class SensorFile:
    """A sensor of the library: a type with the manufacturer's specifications."""

    type: str
    description: str = ""
    rate_hz: float = number(10.0, least=LOWEST_RATE_HZ, most=10000.0)
    latency_s: float = number(0.0, least=0.0, most=60.0)
    topics: dict[str, str] = field(default_factory=dict)  # output -> topic below the sensor's name
    parameters: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MountError:
    """Deviation of a sensor from its pose on /tf_static, in its own frame.

    ``pose`` is fixed; random errors with the given standard deviations are added to it.
    """

    pose: PoseSpec = AT_LINK
    position_sigma: float = number(0.0, least=0.0, most=10.0)  # m, along each axis
    angle_sigma_deg: float = number(0.0, least=0.0, most=90.0)  # about each axis

    def drawn(self, random: np.random.Generator) -> Pose:
        """Return the error of one sensor."""
        shift, turn = random.standard_normal((2, 3))
        angles = np.radians(self.angle_sigma_deg) * turn
        return self.pose.pose() @ Pose.from_rpy(self.position_sigma * shift, angles)


NO_ERROR = MountError()


@dataclass(frozen=True, slots=True)
class SensorEntry:
    """A sensor on a robot or in the world; defaults come from its model's file."""

    name: str
    model: str  # a sensor of the library, or the path of such a file
    link: str = ""  # empty: the robot's root link; in the world: ignored
    pose: PoseSpec = AT_LINK
    mount_error: MountError = NO_ERROR
    # empty: the link if the pose is zero, else the sensor's name (NAME_sensor if that is taken)
    frame_id: str = ""
    rate_hz: float | None = None
    phase_s: float = number(0.0, least=0.0, most=3600.0)
    latency_s: float | None = None
    jitter_s: float = number(0.0, least=0.0, most=60.0)  # standard deviation of the latency
    dropout: float = number(0.0, least=0.0, most=1.0)  # fraction of messages lost
    topics: dict[str, str] = field(default_factory=dict)  # output -> topic
    set: Data = field(default_factory=dict)  # parameters of the sensor's type
