"""Two belts at different speeds."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from outrider.core.errors import ConfigError
from outrider.core.structure import number
from outrider.vehicles.belt import TrackSpec
from outrider.vehicles.differential import TwoSides
from outrider.vehicles.drivetrain import DrivetrainSpec


@dataclass(frozen=True, slots=True)
class TrackedSpec(DrivetrainSpec):
    """Two belts, steered by their difference in speed."""

    type: Literal["tracked"] = "tracked"
    left: TrackSpec | None = None
    right: TrackSpec | None = None
    track: float = number(1.0, above=0.0)
    track_multiplier: float = number(1.0, above=0.0)  # effective over geometric track


class Tracked(TwoSides):
    """Belts, each driven by its sprocket: belt speed = sprocket speed times the belt's radius."""

    Spec: ClassVar[type[DrivetrainSpec]] = TrackedSpec

    def __init__(self, spec: TrackedSpec) -> None:
        """Take the robot's figures; the track is the effective one, wider for belts skid."""
        if spec.left is None or spec.right is None:
            raise ConfigError("a tracked drivetrain needs a belt under both left and right")
        joints = ((spec.left.sprocket,), (spec.right.sprocket,))
        radii = (spec.left.radius, spec.right.radius)
        super().__init__(joints, radii, spec.track * spec.track_multiplier)
        self.belts = (spec.left, spec.right)
