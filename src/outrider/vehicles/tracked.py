"""Two belts at different speeds."""

from outrider.core.errors import ConfigError
from outrider.specs.robot import TrackedSpec
from outrider.vehicles.differential import TwoSides


class Tracked(TwoSides):
    """Belts, each driven by its sprocket: belt speed = sprocket speed times the belt's radius."""

    def __init__(self, spec: TrackedSpec) -> None:
        """Take the robot's figures; the track is the effective one, wider for belts skid."""
        if spec.left is None or spec.right is None:
            raise ConfigError("a tracked drivetrain needs a belt under both left and right")
        joints = ((spec.left.sprocket,), (spec.right.sprocket,))
        radii = (spec.left.radius, spec.right.radius)
        super().__init__(joints, radii, spec.track * spec.track_multiplier)
