"""Faults in one place of the ROS 1 bridge that must not reach others. No ROS is needed."""

import socket
import threading
import time

import pytest
from ros1_bench import running
from waiting import wait_until

from outrider.bench.ros.load import bare
from outrider.bridges.bridge import make_bridge
from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros1 import bridge as ros1
from outrider.bridges.ros1.master import Master
from outrider.bridges.ros1.node import Ros1Node
from outrider.bridges.ros1.reactor import Reactor
from outrider.bus.bus import Bus


class Faulty:
    """Something with a socket that fails at whatever it is asked."""

    def ready(self, *_):
        raise RuntimeError("ready")

    def tick(self, _):
        raise RuntimeError("tick")


def test_no_fault_ends_the_thread_that_serves_all_sockets():
    faults = []
    reactor = Reactor(lambda error: faults.append(str(error)))
    reactor.start()
    near, far = socket.socketpair()
    gone, _ = socket.socketpair()
    try:
        reactor.call(lambda: 1 / 0)
        reactor.call(lambda: reactor.watch(near, Faulty()))
        reactor.call(lambda: (gone.close(), reactor.watch(gone, Faulty())))
        far.send(b"x")
        wait_until(lambda: {"division by zero", "ready", "tick"} <= set(faults), "the faults")
        alive = threading.Event()
        reactor.call(alive.set)
        assert alive.wait(30.0)
    finally:
        reactor.call(lambda: reactor.forget(near))
        reactor.close()
        near.close()
        far.close()


def test_a_topic_that_cannot_be_carried_leaves_the_others_alone(monkeypatch):
    known = ros1.from_ros1

    def fails_once(type_name):
        if type_name == "std_msgs/msg/Int16":
            raise RuntimeError("no such thing")
        return known(type_name)

    monkeypatch.setattr(ros1, "from_ros1", fails_once)
    bus = Bus()
    bridge = make_bridge("ros1:master=own,port=0,gazebo=false", bare(bus))
    bridge.start()
    try:
        bus.declare("/bad", "std_msgs/msg/Int16", direction="in")
        wait_until(lambda: bridge.counts().get("left out"), "the complaint")
        bus.declare("/good", "std_msgs/msg/Int32", direction="in")
        wait_until(lambda: "/good" in bridge.node.subscriptions, "the other topic")
    finally:
        bridge.close()


def test_parameters_are_told_while_listeners_leave():
    master = Master(port=0)
    faults, end = [], time.monotonic() + 0.5

    def come_and_go():
        number = 0
        while time.monotonic() < end:
            number += 1
            key, node = f"/a/{number % 50}", f"/n{number % 50}"
            master.subscribe_param(node, "http://localhost:1/", key)
            master.unsubscribe_param(node, "http://localhost:1/", key)

    def tell():
        while time.monotonic() < end:
            try:
                master.set_param("/other", "/b", 1)
            except RuntimeError as error:
                faults.append(error)

    threads = [threading.Thread(target=work) for work in (come_and_go, come_and_go, tell)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    master.start()
    master.close()
    assert not faults


@pytest.mark.parametrize("rate", [50, 20])
def test_states_of_models_keep_simulated_time(rate):
    with running(speed=0.5, options=f",states_hz={rate}") as sim:
        came = []
        ear = Ros1Node("/ear", sim.uri, PeerErrors(came.append))
        ear.subscribe("/gazebo/model_states", "gazebo_msgs/ModelStates", came.append)
        ear.start()
        wait_until(lambda: len(came) > 2, "the first states")

        def said_in_a_second():
            count, began = len(came), sim.run.simulation.time_s
            wait_until(lambda: sim.run.simulation.time_s > began + 1.0, "a simulated second")
            return (len(came) - count) / (sim.run.simulation.time_s - began)

        def quiet():
            count = len(came)
            time.sleep(0.3)
            return len(came) == count

        wait_until(lambda: said_in_a_second() == pytest.approx(rate, rel=0.15), "the rate")
        sim.services["pause"]({})
        wait_until(quiet, "what was on its way")
        sim.services["resume"]({})
        listened = sim.run.simulation.bus.channel("/clock").info
        before = listened().subscribers
        ear.close()
        wait_until(lambda: listened().subscribers < before, "the end of listening")
