"""The commands of the reactive controllers."""

from outrider.autonomy.component import Output
from outrider.messages.types import Twist, Vector3


def drive(speed: float, yaw_rate: float) -> Output:
    """Return a command."""
    return "cmd_vel", Twist(Vector3(float(speed), 0.0, 0.0), Vector3(0.0, 0.0, float(yaw_rate)))
