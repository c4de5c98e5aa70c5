"""Services that answer, fail or crash, and plain sockets to the local port."""

import json
import socket

from outrider.bridges.local.runs import runs
from outrider.core.errors import ConfigError


def fail(_: dict) -> dict:
    raise ConfigError("the scenario has no end")


def crash(_: dict) -> dict:
    raise ZeroDivisionError("oh")


SERVICES = {
    "status": lambda _: {"paused": False},
    "set_speed": lambda args: {"speed": args["speed"]},
    "fail": fail,
    "crash": crash,
    "odd": lambda _: {"thing": object()},
}


def count_of(bus, name):
    return next(topic.count for topic in bus.topics() if topic.name == name)


def raw(server):
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def greeted(server):
    plain = raw(server)
    plain.sendall(json.dumps({"token": runs()[0].token}).encode() + b"\n")
    assert b"hello" in plain.recv(100)
    return plain
