"""How tests wait for other programs and threads, on machines that may be busy."""

import socket
import subprocess
import time

PATIENCE_S = 120.0  # a kernel may have to be compiled first


def until(question, seconds=PATIENCE_S):
    """Ask until the answer is yes, and return whether it was."""
    end = time.monotonic() + seconds
    while not (found := question()) and time.monotonic() < end:
        time.sleep(0.02)
    return bool(found)


def wait_until(question, what, seconds=PATIENCE_S):
    assert until(question, seconds), f"waited for {what}"


def free_port():
    """Return a port that nobody has, for a program that cannot choose one itself."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


def stop_program(started):
    """Let a program end, or end it: none stays behind."""
    started.terminate()
    try:
        started.wait(5)
    except subprocess.TimeoutExpired:
        started.kill()
        started.wait()
