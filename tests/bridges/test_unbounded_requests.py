"""Requests that would keep a run busy or fill its memory: answered in one sentence."""

import socket
import threading

import pytest
from waiting import wait_until

from outrider.bridges.any_service import call_any
from outrider.bridges.parameter_tree import ParameterTree
from outrider.bridges.policy import Policy, guarded
from outrider.bridges.ros1.notifier import Notifier
from outrider.bridges.ros1.xmlrpc import XmlRpcServer
from outrider.core.errors import BridgeError, near_match


def _nested(depth):
    return '{"a":' * depth + "1" + "}" * depth


@pytest.mark.parametrize("depth", [100_000, 900])
def test_arguments_within_arguments_without_end_are_refused(depth):
    services = guarded({"add_robot": dict}, Policy())
    assert call_any(services, "add_robot", _nested(depth)) == (
        False,
        "the arguments are nested too deeply",
    )


def test_a_number_of_thousands_of_digits_is_refused_in_our_words():
    done, text = call_any({"step": dict}, "step", '{"steps": ' + "9" * 5000 + "}")
    assert (done, text) == (False, "the arguments hold a number of too many digits")


def test_a_name_of_megabytes_is_not_compared_and_not_repeated():
    assert near_match("pause" * 1_000_000, ["pause" * 1_000_000 + "x"]) == ""
    done, text = call_any({"pause": dict}, "x" * 1_000_000, "{}")
    assert not done
    assert text.endswith("letters)")
    assert len(text) < 30_000


def test_parameters_are_bounded_together():
    tree = ParameterTree(most_bytes=10_000)
    for _ in range(50):
        tree.set("/same", "x" * 4000)  # takes the place of the last
    tree.set("/more", ["x" * 4000])
    with pytest.raises(BridgeError, match="together may take"):
        tree.set("/third", {"a": {"b": "x" * 4000}})
    assert tree.names() == ["/same", "/more"]
    tree.delete("/same")
    tree.set("/third", "x" * 4000)


def test_nodes_that_never_answer_do_not_hold_up_those_that_do():
    told = threading.Event()
    node = XmlRpcServer("127.0.0.1", 0, {"publisherUpdate": lambda *_: (told.set(), "", 0)})
    node.start()
    notifier = Notifier()
    try:
        with socket.create_server(("127.0.0.1", 0), backlog=500) as dead:
            for number in range(2000):
                notifier(f"http://127.0.0.1:{dead.getsockname()[1]}/{number}", "publisherUpdate")
            notifier(f"http://127.0.0.1:{node.port}/", "publisherUpdate", "/good", [])
            wait_until(told.is_set, "the update", 60)  # one after the other they take minutes
    finally:
        notifier.close()
        node.close()


def test_a_refusal_that_repeats_half_a_letter_can_be_sent():
    def refuses(arguments):
        raise BridgeError(f"there is no robot '{arguments['name']}'")

    done, text = call_any({"move": refuses}, "move", '{"name": "\\ud800"}')
    assert (done, text) == (False, r"there is no robot '\ud800'")
    text.encode()
