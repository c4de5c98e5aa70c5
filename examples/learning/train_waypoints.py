"""Train a Jackal to drive to waypoints between obstacles by its scanner, in some minutes.

pip install 'outrider[train]'
python examples/learning/train_waypoints.py --steps 80000 --out waypoints

Writes the policy (policy.zip), the learning curve (curve.csv, curve.png) and the success rates
before and after (result.json). The same seed gives the same curve on the same machine.
"""

import argparse
import csv
import json
import time
from pathlib import Path

import gymnasium
import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

import outrider.learning  # noqa: F401 - registers the environments

NAME = "Outrider/Waypoints-v0"


def main() -> None:
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)  # so small a network is faster so
    began = time.monotonic()
    # the environments of a vector environment share one scene; stable-baselines3 has its own way
    # of stepping several, so it gets them one by one
    several = gymnasium.make_vec(NAME, num_envs=options.envs)
    env = VecMonitor(DummyVecEnv([lambda one=one: one for one in several.envs]))
    model = PPO(
        "MultiInputPolicy",
        env,
        n_steps=256,
        batch_size=256,
        learning_rate=5e-4,
        gae_lambda=0.95,
        gamma=0.98,
        policy_kwargs={"log_std_init": -0.5},
        seed=options.seed,
        device="cpu",
    )
    before = evaluate(model, options.episodes)
    print(f"before: {before}")
    curve = Curve()
    model.learn(options.steps, callback=curve)
    trained_s = time.monotonic() - began
    after = evaluate(model, options.episodes)
    print(f"after {options.steps} steps and {trained_s:.0f} s: {after}")
    model.save(options.out / "policy.zip")
    write(options, curve.rows, {"before": before, "after": after, "trained_s": trained_s})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=80_000)
    parser.add_argument("--envs", type=int, default=8)
    parser.add_argument("--episodes", type=int, default=20, help="for each success rate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("waypoints"))
    return parser.parse_args()


def evaluate(model: PPO, episodes: int) -> dict[str, float]:
    """Return the shares of outcomes over episodes that are never trained on."""
    env = gymnasium.make(NAME)
    found: dict[str, float] = {}
    for number in range(episodes):
        seen, _ = env.reset(seed=1_000_000 + number)
        over, info = False, {}
        while not over:
            action, _ = model.predict(seen, deterministic=True)
            seen, _, ended, late, info = env.step(action)
            over = ended or late
        outcome = info.get("outcome", "out of time")
        found[outcome] = found.get(outcome, 0.0) + 1.0 / episodes
    env.close()
    return {name: round(share, 3) for name, share in sorted(found.items())}


class Curve(BaseCallback):
    """Notes mean reward and success of the last hundred episodes, once per rollout."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[int, float, float]] = []
        self._outcomes: list[bool] = []

    def _on_step(self) -> bool:
        for done, info in zip(self.locals["dones"], self.locals["infos"], strict=True):
            if done:
                self._outcomes.append(bool(info.get("is_success", False)))
        return True

    def _on_rollout_end(self) -> None:
        last = self._outcomes[-100:]
        rewards = [episode["r"] for episode in self.model.ep_info_buffer]
        if last and rewards:
            row = (self.num_timesteps, sum(rewards) / len(rewards), sum(last) / len(last))
            self.rows.append(row)
            print(f"{row[0]:8d} steps  reward {row[1]:7.2f}  success {row[2]:.2f}", flush=True)


def write(options: argparse.Namespace, rows: list[tuple[int, float, float]], result: dict) -> None:
    with (options.out / "curve.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("steps", "reward", "success"), *rows])
    (options.out / "result.json").write_text(json.dumps(result, indent=2) + "\n")
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axis = plt.subplots(figsize=(7, 3.5), layout="constrained")
    steps, reward, success = zip(*rows, strict=True)
    axis.plot(steps, reward, color="tab:blue")
    axis.set(xlabel="steps", title=f"{NAME}, PPO")
    axis.set_ylabel("mean reward of an episode", color="tab:blue")
    other = axis.twinx()
    other.plot(steps, success, color="tab:orange")
    other.set_ylabel("share that came to all waypoints", color="tab:orange")
    other.set_ylim(0, 1)
    figure.savefig(options.out / "curve.png", dpi=110)


if __name__ == "__main__":
    main()
