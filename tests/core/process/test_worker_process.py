"""Processes that answer lines of JSON."""

import time

import psutil

from outrider.core.process.worker_process import WorkerProcess


def test_a_process_that_has_ended_leaves_nothing_behind():
    worker = WorkerProcess("outrider.not_there")
    number = worker._process.pid
    deadline = time.monotonic() + 30.0
    while psutil.pid_exists(number) and time.monotonic() < deadline:  # nobody asks for it
        time.sleep(0.05)
    assert not psutil.pid_exists(number)
    assert "No module named" in worker.how_it_ended()
