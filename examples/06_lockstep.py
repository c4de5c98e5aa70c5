"""Lockstep: the simulation waits for a client's answer every 20 ms, so slow clients are exact."""

import os
import threading
from itertools import islice

import outrider as o
from outrider.bridges.local.server import LocalServer
from outrider.scenarios.run import Run

run = Run(o.scenario("smoke", "robots.0.motion=[]", "duration_s=1", "expect=[]"))
run.runner.paused = True
server = LocalServer(run.simulation.bus, run.runner.services())
thread = threading.Thread(target=run.go)
thread.start()
with o.connect(os.getpid()) as client:  # as it would in a process of its own
    client.call("lockstep", period_s=0.02)
    truth = client.messages("/ground_truth/state", timeout_s=10)
    client.call("resume")
    client.publish("/cmd_vel", {"linear": {"x": 0.5}})
    for _ in islice(truth, 49):
        client.publish("/cmd_vel", {"linear": {"x": 0.5}, "angular": {"z": 0.2}})
thread.join()
server.close()
print(f"{run.simulation.time_s:.2f} s, state {run.simulation.state_hash}")
