"""Builds the pipeline from the stack's parameters, on one screen."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from outrider.autonomy.component import StackComponent
from outrider.autonomy.mapping.mapper import Mapper
from outrider.autonomy.mapping.scan_view import ScanView
from outrider.autonomy.odometry.external import ExternalOdometry
from outrider.autonomy.odometry.lidar import LidarOdometry
from outrider.autonomy.odometry.lidar_cloud import LidarCloud
from outrider.autonomy.odometry.lidar_inertial import LidarInertialOdometry
from outrider.autonomy.odometry.spec import LidarInertialSpec, LidarSpec, VisualSpec
from outrider.autonomy.odometry.visual import VisualOdometry
from outrider.autonomy.odometry.wheel_imu import WheelImuOdometry
from outrider.autonomy.pipeline import Pipeline, WiredComponent
from outrider.autonomy.planning.navigator import Navigator
from outrider.autonomy.reactive.avoid import Avoid
from outrider.autonomy.reactive.lane import LaneKeeper
from outrider.autonomy.reactive.spec import AvoidSpec, LaneSpec, WallSpec
from outrider.autonomy.reactive.wall import Wall
from outrider.autonomy.segmentation.obstacles import ObstacleSegmentation
from outrider.autonomy.segmentation.spec import SegmentationSpec
from outrider.autonomy.slam.slam import Slam
from outrider.autonomy.slam.spec import SlamSpec
from outrider.autonomy.slam.visual_slam import VisualSlam
from outrider.autonomy.spec import AutonomySpec, OdometrySpec
from outrider.autonomy.stereo.depth import StereoDepth
from outrider.autonomy.topics import topics
from outrider.autonomy.waypoints.follower import WaypointFollower
from outrider.core.errors import AutonomyError, near_match
from outrider.core.frames import Pose

_SHARED = {"tf"}  # what several parts speak on


def assemble_stack(
    spec: AutonomySpec,
    *,
    namespace: str = "",
    prefix: str = "",
    start: Pose | None = None,
    own: Sequence[StackComponent] = (),
) -> Pipeline:
    """Return the pipeline of a stack; ``prefix`` is that of the robot's frames.

    Components of one's ``own`` take the place of those that say the same.
    """
    names = topics(namespace, spec.topics)
    if spec.reactive is not None:
        return _reactive(spec, names, f"{prefix}base_link")
    frames = ("map", f"{prefix}odom", f"{prefix}base_link")
    said = {port for part in own for port in part.outputs} - _SHARED
    speaker = next((part for part in own if "odometry" in part.outputs), None)
    odometry = speaker or make_odometry(spec.odometry, frames[1:], start or Pose())
    stack = [odometry, *_eyes(spec, frames[2]), *_drivers(spec, frames, odometry.name)]
    parts = [*own, *(part for part in stack if not said & part.outputs.keys())]
    if spec.stereo is not None:
        names["cloud"] = names["stereo_cloud"]
    return Pipeline([WiredComponent(part, _ports(part, names)) for part in parts], names["health"])


def _drivers(
    spec: AutonomySpec, frames: tuple[str, str, str], watched: str
) -> list[StackComponent]:
    """Return what maps, plans and drives; ``watched`` is the odometry to rely on."""
    parts: list[StackComponent] = []
    if spec.slam is not None and spec.scan is None:
        parts.append(_slam(spec, spec.slam, frames))
    if spec.mapping is not None:
        parts.append(Mapper(spec.mapping, frames[0]))
    if spec.navigation is not None:
        parts.append(Navigator(spec.navigation, frames[:2], watched))
    if spec.waypoints is not None:
        parts.append(WaypointFollower(spec.waypoints, frames[0], watched))
    return parts


def _eyes(spec: AutonomySpec, base: str) -> list[StackComponent]:
    """Return the components that turn sensor messages into obstacles and ground."""
    parts: list[StackComponent] = []
    if spec.stereo is not None:
        parts.append(StereoDepth(spec.stereo, base))
    if spec.lidar_cloud is not None:
        parts.append(LidarCloud(spec.lidar_cloud, base))
    if spec.scan is not None:
        parts.append(ScanView(spec.scan, base))
    elif spec.segmentation is not None:
        parts.append(ObstacleSegmentation(_seen_by(spec)))
    return parts


def _slam(spec: AutonomySpec, slam: SlamSpec, frames: tuple[str, str, str]) -> StackComponent:
    """Return visual SLAM if the odometry is stereo, otherwise SLAM by scans."""
    if slam.images and isinstance(spec.odometry, VisualSpec):
        return VisualSlam(slam, frames, shapes=spec.lidar_cloud is not None)
    return Slam(slam, frames[:2])


def _reactive(spec: AutonomySpec, names: dict[str, str], base: str) -> Pipeline:
    controller: StackComponent
    match spec.reactive:
        case WallSpec():
            controller = Wall(spec.reactive, base)
        case LaneSpec():
            controller = LaneKeeper(spec.reactive)
        case _:
            controller = Avoid(spec.reactive or AvoidSpec(), base)
    return Pipeline([WiredComponent(controller, _ports(controller, names))], names["health"])


def make_odometry(
    spec: OdometrySpec | None, frames: tuple[Any, ...], start: Pose
) -> StackComponent:
    """Return the odometry that a spec describes; None is that of another program."""
    if spec is None:
        return ExternalOdometry()
    if isinstance(spec, LidarInertialSpec):
        return LidarInertialOdometry(spec, frames, start)
    if isinstance(spec, LidarSpec):
        return LidarOdometry(spec, frames, start)
    if isinstance(spec, VisualSpec):
        return VisualOdometry(spec, frames, start)
    return WheelImuOdometry(spec, frames, start)


def _seen_by(spec: AutonomySpec) -> SegmentationSpec:
    """Return the segmentation, with rows and columns that fit a camera if it is one."""
    found = spec.segmentation or SegmentationSpec()
    if spec.stereo is None or found != SegmentationSpec():
        return found
    return replace(
        found,
        step=0.1,
        bump=0.04,
        rows=112,
        columns=1080,
        low_deg=-28,
        high_deg=28,
        sensor_z=0.22,
    )


def _ports(part: StackComponent, names: dict[str, str]) -> dict[str, str]:
    for port in (*part.inputs, *part.outputs):
        if port not in names:
            hint = near_match(port, names)
            raise AutonomyError(f"{part.name}: the stack has no port '{port}'{hint}")
    return {port: names[port] for port in (*part.inputs, *part.outputs)}
