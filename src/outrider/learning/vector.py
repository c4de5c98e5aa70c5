"""Several environments in one process that share one static scene."""

from functools import partial
from typing import Any

from outrider.core.errors import LearningError
from outrider.learning.autominy import AutoMinyEnv
from outrider.learning.environment import RobotEnvironment
from outrider.learning.explore import ExploreEnv
from outrider.learning.extra import gymnasium
from outrider.learning.waypoints import WaypointsEnv


class SharedWorldVectorEnv(gymnasium.vector.SyncVectorEnv):
    """As Gymnasium's own, one after the other; world, scene, meshes and free places exist once."""

    def __init__(
        self,
        kind: type[RobotEnvironment],
        num_envs: int = 1,
        max_episode_steps: int | None = None,
        autoreset_mode: str = "NextStep",
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise LearningError(f"{kind.name}: num_envs: expected 1 or more, got {num_envs}")
        first = kind(**options)
        rest = [partial(kind, shared=first.shared, **options) for _ in range(num_envs - 1)]
        makers = [partial(_limited, make, max_episode_steps) for make in (lambda: first, *rest)]
        super().__init__(makers, autoreset_mode=autoreset_mode)


def _limited(make: Any, max_episode_steps: int | None) -> Any:
    """Return an environment that truncates its episodes, as ``gymnasium.make`` has it."""
    made = make()
    if max_episode_steps is None:
        return made
    return gymnasium.wrappers.TimeLimit(made, max_episode_steps)


waypoints = partial(SharedWorldVectorEnv, WaypointsEnv)
explore = partial(SharedWorldVectorEnv, ExploreEnv)
autominy = partial(SharedWorldVectorEnv, AutoMinyEnv)
