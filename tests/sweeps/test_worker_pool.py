import pytest

from outrider.core.errors import SweepError
from outrider.sweeps.job import Job
from outrider.sweeps.worker_pool import NoWorkerError, WorkerLostError, WorkerPool

JOBS = [Job(run, {}, run) for run in range(1, 13)]


class Fake:
    """A worker that dies at some runs; counts what it was asked."""

    def __init__(self, dies_at, asked):
        self._dies_at, self._asked = dies_at, asked

    def ask(self, job):
        self._asked.append(job["run"])
        if job["run"] in self._dies_at:
            self._dies_at.remove(job["run"])
            raise WorkerLostError("killed")
        return {"run": job["run"], "completed": True}

    def close(self):
        pass


def run(dies_at=(), size=3, start=None):
    asked, dies_at = [], list(dies_at)
    with WorkerPool(start or (lambda _: Fake(dies_at, asked)), size) as pool:
        return list(pool.run(JOBS)), asked


def test_every_job_is_answered_once():
    lines, asked = run()
    assert sorted(line["run"] for line in lines) == sorted(asked) == list(range(1, 13))


def test_the_job_of_a_worker_that_died_is_done_by_another():
    lines, asked = run(dies_at=[5])
    assert sorted(line["run"] for line in lines) == list(range(1, 13))
    assert asked.count(5) == 2
    assert all(line["completed"] for line in lines)


def test_a_job_that_ends_two_workers_is_kept_as_failed():
    lines, _ = run(dies_at=[5, 5])
    (line,) = [line for line in lines if not line["completed"]]
    assert (line["run"], line["reason"]) == (5, "killed")


def test_a_pool_does_without_a_worker_that_cannot_be_started():
    def start(number):
        if number == 0:
            raise NoWorkerError("no room")
        return Fake([], [])

    lines, _ = run(start=start)
    assert sorted(line["run"] for line in lines) == list(range(1, 13))


def test_without_any_worker_the_sweep_ends_with_the_reason():
    def start(_):
        raise NoWorkerError("no room")

    with pytest.raises(SweepError, match="no room"):
        run(start=start)


def test_workers_live_on_from_one_batch_to_the_next():
    made = []

    def start(number):
        made.append(number)
        return Fake([], [])

    with WorkerPool(start, 2) as pool:
        for _ in range(3):
            assert len(list(pool.run(JOBS))) == len(JOBS)
    assert sorted(made) in ([0], [1], [0, 1])
