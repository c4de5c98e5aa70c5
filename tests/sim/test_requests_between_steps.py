"""Requests to a running loop: none of them holds it for long."""

import re
import threading
import time
from contextlib import contextmanager, suppress

import pytest

from outrider.core.errors import ConfigError, SimulationError
from outrider.messages.services.replies import ModelNames
from outrider.sim.pacing import Pacer
from outrider.sim.runner import Runner
from outrider.sim.simulation import Simulation
from outrider.world.model import World

PATIENCE_S = 30.0


@contextmanager
def running(*, paused=False):
    runner = Runner(Simulation(World("empty")), Pacer(0.0))
    runner.paused = paused
    thread = threading.Thread(target=runner.run, args=(1e9,), daemon=True)
    thread.start()
    try:
        yield runner
    finally:
        runner.stop()
        thread.join(PATIENCE_S)
    assert not thread.is_alive()


def asked(service, **arguments):
    """Ask in a thread; return it and where its answer will be."""
    answers = []

    def ask():
        with suppress(SimulationError):  # the run may end before
            answers.append(service(arguments))

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    return thread, answers


def test_the_loop_goes_on_while_a_service_prepares():
    with running() as runner:
        begun, go = threading.Event(), threading.Event()

        def prepare(_):
            begun.set()
            assert go.wait(PATIENCE_S)
            return lambda: ModelNames([threading.current_thread().name])

        runner.beside["list_models"] = prepare
        services = runner.services()
        thread, answers = asked(services["list_models"])
        assert begun.wait(PATIENCE_S)
        before = services["status"]({})["steps"]
        while services["status"]({})["steps"] < before + 3:
            pass
        assert not answers
        go.set()
        thread.join(PATIENCE_S)
        assert answers != [{"names": [thread.name]}]  # put in by the loop's own thread


def test_others_are_answered_amid_a_million_steps():
    with running(paused=True) as runner:
        services = runner.services()
        thread, answers = asked(services["step"], steps=1_000_000)
        while services["status"]({})["steps"] < 10:
            pass
        assert thread.is_alive()
        runner.stop()
    assert not answers


@pytest.mark.parametrize(
    ("service", "told"),
    [
        ("resume", r"step: the simulation must be paused first"),
        ("pause", r"step: 'pause' was called, 9\d{5} steps were not taken"),
    ],
)
def test_steps_end_when_somebody_resumes_or_pauses(service, told):
    with running(paused=True) as runner:
        services = runner.services()
        faults = []

        def step():
            try:
                services["step"]({"steps": 1_000_000})
            except ConfigError as error:
                faults.append(str(error))

        thread = threading.Thread(target=step, daemon=True)
        thread.start()
        while services["status"]({})["steps"] < 10:
            pass
        services[service]({})
        thread.join(PATIENCE_S)
        assert re.fullmatch(told, faults[0])


def test_so_many_steps_as_asked_for_are_made():
    with running(paused=True) as runner:
        services = runner.services()
        assert services["step"]({"steps": 137})["steps"] == 137
        assert services["step"]({})["steps"] == 138


def test_lockstep_without_an_end_does_not_lock_others_out():
    with running() as runner:
        services = runner.services()
        services["lockstep"]({"period_s": 0.0025, "timeout_s": 3600.0})
        held = services["status"]({})["steps"]
        assert services["status"]({})["steps"] == held
        services["lockstep"]({"period_s": 0.0})
        while services["status"]({})["steps"] == held:
            pass


def test_a_command_that_does_not_come_is_counted_and_waited_for_no_longer():
    with running() as runner:
        services = runner.services()
        services["lockstep"]({"period_s": 0.005, "timeout_s": 0.05})
        held = services["status"]({})["steps"]
        while services["status"]({})["steps"] < held + 4:
            pass
        lockstep = runner.simulation.lockstep
        assert lockstep is not None
        assert lockstep.missed >= 1


def test_a_fault_in_what_was_prepared_reaches_who_asked_and_the_next_may_ask():
    with running() as runner:

        def prepare(_):
            raise ConfigError("there is no such thing")

        runner.beside["list_models"] = prepare
        service = runner.services()["list_models"]
        for _ in range(2):
            with pytest.raises(ConfigError, match="no such thing"):
                service({})


def test_a_loop_that_runs_very_slowly_answers_and_ends():
    with running() as runner:
        services = runner.services()
        services["set_speed"]({"speed": 1e-9})
        services["status"]({})
        before = services["status"]({})["steps"]
        assert services["set_speed"]({"speed": 0.0})["steps"] <= before + 1
        while services["status"]({})["steps"] < before + 3:
            pass
        services["set_speed"]({"speed": 1e-320})


class Spied(Pacer):
    """A pacer that writes down what it is told, and lets others ask while it waits."""

    def __init__(self, meanwhile=None):
        super().__init__(0.0)
        self.log, self.meanwhile = [], meanwhile

    def start(self, sim_ns):
        self.log.append(("start", sim_ns))
        super().start(sim_ns)

    def wait(self, sim_ns):
        self.log.append(("wait", sim_ns))
        if self.meanwhile:
            self.meanwhile()
        return super().wait(sim_ns)


def test_who_asks_just_before_a_step_is_due_does_not_delay_it():
    simulation = Simulation(World("empty"))
    pacer = Spied(lambda: runner.ask(lambda: pacer.log.append(("work", simulation.time_ns))))
    runner = Runner(simulation, pacer)
    runner.run(3 * simulation.rig.step_s)
    step = round(simulation.rig.step_s * 1e9)
    works = [time for what, time in pacer.log if what == "work"]
    assert works == [2 * step, 3 * step]  # asked for after the first and the second step


def test_requests_for_more_than_a_steps_time_let_steps_in_between():
    runner = Runner(Simulation(World("empty")), Pacer(0.0))
    times = []

    def work():
        end = time.perf_counter() + runner.simulation.rig.step_s
        while time.perf_counter() < end:
            pass
        times.append(runner.simulation.steps)

    for _ in range(3):
        runner.ask(work)
    runner.run(5 * runner.simulation.rig.step_s)
    assert times == [0, 1, 2]


def test_the_pacing_goes_on_over_a_change_but_not_over_a_jump_in_time():
    simulation = Simulation(World("empty"))
    runner = Runner(simulation, pacer := Spied())
    runner.run(0.01)
    pacer.log.clear()
    runner.renew(simulation)
    assert not pacer.log
    simulation.step()  # not by the runner
    runner.renew(simulation)
    assert pacer.log == [("start", simulation.time_ns)]
