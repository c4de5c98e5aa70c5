import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from outrider.core.errors import ConfigError, LearningError
from outrider.learning.registration import ENVIRONMENTS
from outrider.learning.waypoints import WaypointsEnv

NAMES = list(ENVIRONMENTS)
# what is not asked about is cheap: few rays, and one world for two tasks
IN_MAZE = {"world": "maze", "centre": (0.0, 0.0), "area": 6.0}
FAST = {
    "Outrider/Waypoints-v0": {"rays": 16, **IN_MAZE},
    "Outrider/Explore-v0": {"rays": 16},
    "Outrider/AutoMiny-v0": {"rays": 16},
}


@pytest.fixture(scope="module", params=NAMES)
def env(request):
    made = gymnasium.make(request.param, render_mode="rgb_array", **FAST[request.param])
    yield made
    made.close()


def actions(env, count):
    env.action_space.seed(3)
    return [env.action_space.sample() for _ in range(count)]


def observed(env, seed, steps):
    """Return all that an episode shows, as bytes: observations, rewards and ends."""
    seen, _ = env.reset(seed=seed)
    found = [_bytes(seen)]
    for action in steps:
        seen, reward, ended, late, info = env.step(action)
        found.append((_bytes(seen), reward, ended, late, str(info)))
        if ended or late:
            break
    return found


def _bytes(observation):
    return {name: part.tobytes() for name, part in observation.items()}


def test_the_checker_of_gymnasium_finds_nothing(env):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # the check of images makes further environments: once is enough
        check_env(env.unwrapped, skip_render_check="AutoMiny" not in env.spec.id)


def test_a_used_environment_after_a_reset_equals_a_new_one_bit_for_bit(env):
    steps = actions(env, 8)
    first = observed(env, 5, steps)
    observed(env, 6, steps)  # something else in between
    fresh = gymnasium.make(env.spec)
    assert observed(env, 5, steps) == first
    assert observed(fresh, 5, steps) == first
    assert observed(fresh, 6, steps) != first
    fresh.close()


def test_noise_and_starts_differ_from_episode_to_episode(env):
    first, _ = env.reset(seed=1)
    second, _ = env.reset()
    assert not np.array_equal(first["scan"], second["scan"])


def test_images_show_the_scene(env):
    env.reset(seed=1)
    image = env.render()
    assert image.shape == (320, 480, 3)
    assert image.dtype == np.uint8
    assert image.std() > 10  # neither black nor one colour


def test_several_environments_with_one_scene_equal_single_ones_bit_for_bit(env):
    name = env.spec.id
    several = gymnasium.make_vec(name, num_envs=2, **FAST[name])
    assert several.envs[0].unwrapped.simulation.rig.scene is (
        several.envs[1].unwrapped.simulation.rig.scene
    )
    steps = np.array(actions(env, 4))
    seen, _ = several.reset(seed=20)
    rows = [[_row(seen, n)] for n in range(2)]
    for action in steps:
        seen, rewards, *_ = several.step(np.stack([action, -action]))
        for n in range(2):
            rows[n].append((_row(seen, n), float(rewards[n])))
    for n, sign in enumerate((1, -1)):
        single = observed(env, 20 + n, sign * steps)
        assert [single[0], *(step[:2] for step in single[1:])] == rows[n]
    several.close()


def _row(observations, number):
    return {name: part[number].tobytes() for name, part in observations.items()}


def test_one_line_makes_an_environment_without_an_import_before_it():
    program = (
        "import gymnasium, sys; assert 'outrider' not in sys.modules\n"
        "env = gymnasium.make('outrider.learning:Outrider/Waypoints-v0', world='empty', rays=4)\n"
        "print(env.spec.max_episode_steps)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert done.stdout == "400\n", done.stderr


# the packages that the example trains with are large: it is read without them
_EXAMPLE = """
import runpy, sys
from unittest.mock import MagicMock
for name in ("torch", "stable_baselines3"):
    sys.modules[name] = MagicMock()
for name in ("callbacks", "vec_env"):
    sys.modules[f"stable_baselines3.common.{name}"] = MagicMock(BaseCallback=object)
example = runpy.run_path(sys.argv[1])
print(example["gymnasium"].make(example["NAME"], world="empty", rays=4).spec.id)
"""


def test_the_example_knows_its_environment():
    file = Path(__file__).parents[2] / "examples/learning/train_waypoints.py"
    done = subprocess.run(
        [sys.executable, "-c", _EXAMPLE, file], capture_output=True, text=True, check=False
    )
    assert done.stdout == "Outrider/Waypoints-v0\n", done.stderr


@pytest.mark.parametrize(
    "action", [[np.nan, 0.0], [0.0], [0.0, np.inf], "left", None, [[0.0, 0.0]], [0.0, 0.0, 0.0]]
)
def test_a_bad_action_is_refused_in_one_sentence_and_the_episode_goes_on(env, action):
    env.reset(seed=1)
    before = env.unwrapped.simulation.time_ns
    with pytest.raises(LearningError, match=r"expected an action of two finite numbers"):
        env.unwrapped.step(action)
    assert env.unwrapped.simulation.time_ns == before
    env.step(np.zeros(2, np.float32))


def test_a_step_before_the_first_reset_is_refused():
    made = WaypointsEnv(world="empty", rays=4)
    with pytest.raises(LearningError, match=r"the episode is over, call reset\(\) first"):
        made.step(np.zeros(2, np.float32))


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("Waypoints", {"robto": "husky"}, "robto: unknown key (did you mean 'robot'?)"),
        ("Waypoints", {"rays": 2}, "rays: must be at least 4, got 2"),
        ("Waypoints", {"speed": float("nan")}, "speed"),
        ("Waypoints", {"world": "playpan"}, "did you mean 'playpen'?"),
        ("Waypoints", {"centre": (500, 0)}, "there is no ground at x = 500, y = 0"),
        ("AutoMiny", {"lane": "iner"}, "expected inner or outer, got 'iner'"),
        ("Explore", {"engine": "physx"}, "physx"),
    ],
)
def test_a_bad_option_is_refused_in_one_sentence(name, options, sentence):
    with pytest.raises((ConfigError, LearningError)) as caught:
        gymnasium.make(f"Outrider/{name}-v0", **options)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_environments_and_options_of_a_reset_are_refused(env):
    with pytest.raises(LearningError, match="expected 1 or more, got 0"):
        gymnasium.make_vec("Outrider/Waypoints-v0", num_envs=0)
    with pytest.raises(LearningError, match="there are no options"):
        env.unwrapped.reset(options={"start": 1})
