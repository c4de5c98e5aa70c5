"""The pose graph, optimised by GTSAM."""

import math
from typing import TYPE_CHECKING

import numpy as np

from outrider.autonomy.extra import needed
from outrider.core.frames import Pose

if TYPE_CHECKING:
    import gtsam


class PoseGraph:
    """Numbered poses; ``solve`` optimises them."""

    def __init__(self) -> None:
        self._gtsam = needed("gtsam")
        self._graph = self._gtsam.NonlinearFactorGraph()
        self.poses: list[Pose] = []

    def add_first(self, pose: Pose) -> None:
        """Add the reference pose."""
        gtsam = self._gtsam
        noise = gtsam.noiseModel.Isotropic.Sigma(6, 1e-6)
        self._graph.add(gtsam.PriorFactorPose3(0, self._pose(pose), noise))
        self.poses.append(pose)

    def add_step(self, step: Pose, metres: float, degrees: float) -> int:
        """Add the next pose, relative to the newest; return its number."""
        number = len(self.poses)
        self._add(number - 1, number, step, self._noise(metres, degrees))
        self.poses.append(self.poses[-1] @ step)
        return number

    def add_loop(
        self, first: int, second: int, T_first_second: Pose, metres: float, degrees: float
    ) -> None:
        """Add a loop between two poses, robustly: outliers lose their weight."""
        gtsam = self._gtsam
        huber = gtsam.noiseModel.mEstimator.Huber.Create(1.345)
        noise = gtsam.noiseModel.Robust.Create(huber, self._noise(metres, degrees))
        self._add(first, second, T_first_second, noise)

    def solve(self) -> None:
        """Optimise the poses."""
        gtsam = self._gtsam
        start = gtsam.Values()
        for number, pose in enumerate(self.poses):
            start.insert(number, self._pose(pose))
        found = gtsam.LevenbergMarquardtOptimizer(self._graph, start).optimize()
        self.poses = [
            Pose.from_matrix(np.asarray(found.atPose3(number).matrix()))
            for number in range(len(self.poses))
        ]

    def _add(self, first: int, second: int, between: Pose, noise: object) -> None:
        factor = self._gtsam.BetweenFactorPose3(first, second, self._pose(between), noise)
        self._graph.add(factor)

    def _noise(self, metres: float, degrees: float) -> "gtsam.noiseModel.Diagonal":
        turn = math.radians(degrees)
        sigmas = np.array([turn] * 3 + [metres] * 3)
        noise: gtsam.noiseModel.Diagonal = self._gtsam.noiseModel.Diagonal.Sigmas(sigmas)
        return noise

    def _pose(self, pose: Pose) -> "gtsam.Pose3":
        made: gtsam.Pose3 = self._gtsam.Pose3(pose.matrix)
        return made
