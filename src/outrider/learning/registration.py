"""The environments by their names in Gymnasium."""

from outrider.learning.extra import gymnasium

_ROOM = "outrider.learning"
# name: one environment, several of it, and the longest episode in steps
ENVIRONMENTS = {
    "Outrider/Waypoints-v0": ("waypoints:WaypointsEnv", "vector:waypoints", 400),
    "Outrider/Explore-v0": ("explore:ExploreEnv", "vector:explore", 600),
    "Outrider/AutoMiny-v0": ("autominy:AutoMinyEnv", "vector:autominy", 600),
}


def register_all() -> None:
    """Tell Gymnasium about all environments, once."""
    for name, (one, several, steps) in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                f"{_ROOM}.{one}",
                vector_entry_point=f"{_ROOM}.{several}",
                max_episode_steps=steps,
            )
