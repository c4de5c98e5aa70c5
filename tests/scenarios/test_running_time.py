import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import islice

import pytest

from outrider.bridges.local.client import connect
from outrider.bridges.local.server import LocalServer
from outrider.core.errors import ConfigError, SimulationError
from outrider.scenarios.build import build
from outrider.scenarios.load import load, loads
from outrider.scenarios.run import Run
from outrider.sim import runner
from outrider.sim.pacing import Pacer
from outrider.sim.runner import Runner


class WallClock:
    """A wall clock on which only sleeping takes time, so that no load disturbs the figures."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def perf_counter(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture
def clock(monkeypatch) -> WallClock:
    found = WallClock()
    monkeypatch.setattr("outrider.sim.pacing.time", found)
    return found


def paced(clock: WallClock, pacer: Pacer, seconds: float, stall_s: float = 0.0) -> Runner:
    """Run an empty world, one step of which takes long."""
    simulation = build(loads("robots: []"))
    simulation.drivers.append(lambda s: clock.sleep(stall_s if s.steps == 20 else 0.0))
    runner = Runner(simulation, pacer)
    runner.run(seconds)
    return runner


@pytest.mark.parametrize(
    ("speed", "seconds", "wall_s"), [(1, 0.5, 0.5), (2, 1, 0.5), (0.5, 0.3, 0.6)]
)
def test_time_runs_at_the_speed_asked_for(clock, speed, seconds, wall_s):
    runner = paced(clock, Pacer(speed), seconds)
    assert runner.simulation.time_s == pytest.approx(seconds)
    assert clock.now_s == pytest.approx(wall_s)
    assert runner.pacer.dropped_s == 0.0


def test_flat_out_waits_for_nothing(clock):
    paced(clock, Pacer(0), 5.0)
    assert clock.now_s == 0.0


def test_a_short_stall_is_caught_up(clock):
    runner = paced(clock, Pacer(1, max_lag_s=0.3), 0.8, stall_s=0.2)
    assert runner.pacer.dropped_s == 0.0
    assert clock.now_s == pytest.approx(0.8)


def test_what_a_long_stall_loses_beyond_the_lag_is_dropped_and_counted(clock):
    runner = paced(clock, Pacer(1, max_lag_s=0.1), 0.8, stall_s=0.5)
    assert runner.pacer.dropped_s == pytest.approx(0.4, abs=0.003)  # but for the step itself
    assert clock.now_s == pytest.approx(0.8 + runner.pacer.dropped_s)


def test_in_constant_mode_a_stall_is_never_caught_up(clock):
    runner = paced(clock, Pacer(1, "constant"), 0.5, stall_s=0.3)
    assert runner.pacer.dropped_s == 0.0
    assert clock.now_s == pytest.approx(0.8, abs=0.003)  # but for the step itself


@contextmanager
def running(*settings: str, speed: float = 1.0, paused: bool = False):
    run = Run(load("smoke", ["expect=[]", *settings]), speed=speed)
    run.runner.paused = paused
    thread = threading.Thread(target=run.go)
    thread.start()
    try:
        yield run
    finally:
        run.runner.stop()
        thread.join(timeout=30)
    assert not thread.is_alive()


def test_other_threads_pause_step_reset_and_resume():
    with running("duration_s=100") as run:
        ask = run.runner.services()
        paused = ask["pause"]({})
        time.sleep(0.1)
        assert ask["status"]({})["steps"] == paused["steps"]
        assert ask["step"]({"steps": 7})["steps"] == paused["steps"] + 7
        begun = ask["reset"]({})
        assert (begun["time_s"], begun["steps"], begun["paused"]) == (0.0, 0, True)
        there = ask["step"]({"steps": 400})["state_hash"]
        ask["resume"]({})
        time.sleep(0.1)
        ask["pause"]({})
        ask["reset"]({})
        assert ask["step"]({"steps": 400})["state_hash"] == there
        with pytest.raises(ConfigError, match="steps: must be at least 1"):
            ask["step"]({"steps": 0})


def test_nobody_waits_for_a_loop_that_has_ended():
    with running("duration_s=0.1", paused=True) as run:
        ask = run.runner.services()
        ask["stop"]({})
    for _ in range(2):
        with pytest.raises(SimulationError, match="the simulation has ended"):
            ask["status"]({})


def test_who_gets_no_answer_is_told_and_nothing_is_done_later(monkeypatch):
    with running("duration_s=100", paused=True) as run:
        ask = run.runner.services()
        ask["status"]({})  # it runs
        monkeypatch.setattr(runner, "_ANSWER_S", 0.5)
        held, free = threading.Event(), threading.Event()

        def hold():
            held.set()
            free.wait(60)

        monkeypatch.setattr(run.runner, "status", hold)
        with ThreadPoolExecutor(1) as other:
            first = other.submit(ask["status"], {})
            assert held.wait(30)
            for asked in (lambda: ask["resume"]({}), first.result):
                with pytest.raises(SimulationError, match="did not answer in time"):
                    asked()
            free.set()
        time.sleep(0.2)
        assert run.runner.paused


def test_the_speed_can_be_changed_while_it_runs(clock):
    with running("duration_s=1000", speed=0.5) as run:
        ask = run.runner.services()
        assert ask["set_speed"]({"speed": 4})["speed"] == 4

        def times() -> tuple[float, float]:
            at = run.runner.ask(lambda: (run.simulation.time_s, clock.now_s))
            return at.result(timeout=30)

        (before_s, wall_before_s), (after_s, wall_after_s) = times(), times()
        while after_s < before_s + 1.0:
            after_s, wall_after_s = times()
        assert (after_s - before_s) / (wall_after_s - wall_before_s) == pytest.approx(4, rel=1e-3)
        with pytest.raises(ConfigError, match="speed: must be at least 0"):
            ask["set_speed"]({"speed": -1})


def test_lockstep_with_a_client_gives_the_state_of_the_same_commands_inside(tmp_path, monkeypatch):
    monkeypatch.setenv("OUTRIDER_CACHE", str(tmp_path))
    with running("robots.0.motion=[]", "duration_s=0.6", speed=0, paused=True) as run:
        server = LocalServer(run.simulation.bus, run.runner.services())
        with connect(os.getpid()) as client:
            client.call("lockstep", period_s=0.02)
            truth = client.messages("/ground_truth/state", timeout_s=10)
            client.call("resume")
            for count in range(30):
                if count:
                    next(truth)
                client.publish("/cmd_vel", {"linear": {"x": 0.5}, "angular": {"z": 0.1 * count}})
            for _ in islice(truth, 1):  # the last step has been made
                pass
        server.close()
        lockstep = run.simulation.lockstep
        assert lockstep is not None
        assert lockstep.missed == 0
    inside = build(load("smoke", ["robots.0.motion=[]"]))
    for count in range(30):
        inside.robots["jackal"].drive(0.5, 0.1 * count)
        inside.run(0.02)
    assert run.simulation.time_s == pytest.approx(0.6)
    assert run.simulation.state_hash == inside.state_hash


def test_what_another_program_asks_for_is_told_to_who_watches():
    said = []
    with running("duration_s=100", paused=True) as run:
        services = run.runner.services()
        run.runner.notice = said.append
        services["step"]({"duration_s": 0.1})
        services["status"]({})
        services["resume"]({})
        services["pause"]({})
    assert said[0] == "at 0.10 s another program asked for: resume"
    assert said[1].endswith("another program asked for: pause ('outrider call resume' continues)")


def test_after_a_reset_the_whole_run_counts_for_the_real_time_factor():
    from outrider.cli.output.status import ending_line

    with running("duration_s=100", paused=True) as run:
        services = run.runner.services()
        services["step"]({"duration_s": 2.0})
        services["reset"]({})
        services["step"]({"duration_s": 0.5})
    result = run.result()
    assert result["sim_time_s"] == pytest.approx(0.5)
    assert result["total_sim_time_s"] == pytest.approx(2.5)
    assert result["real_time_factor"] == pytest.approx(2.5 / result["wall_time_s"])
    assert "2.50 s simulated in" in ending_line(result)
    assert ", its clock at 0.50 s: a reset or undo set it back" in ending_line(result)


def test_the_summary_tells_how_long_a_run_was_paused():
    from outrider.cli.output.status import ending_line

    with running("duration_s=100", paused=True) as run:
        run.runner.services()["step"]({"duration_s": 0.5})
        time.sleep(0.2)
    result = run.result()
    assert 0.15 < result["paused_time_s"] <= result["wall_time_s"]
    assert f", {result['paused_time_s']:.2f} s of them paused (" in ending_line(result)
