"""Control of the simulation by services: std_srvs always, simulation_interfaces if installed."""

import json
from collections.abc import Callable, Mapping

from outrider.bridges.any_service import call_any
from outrider.bridges.bridge import Outside
from outrider.bridges.ros2.results import reason
from outrider.bridges.ros2.simulation import add_simulation_services
from outrider.core.untyped import RosNode
from outrider.messages.services.reading import Service
from outrider.messages.services.table import TRIGGERS
from outrider.messages.types import Message


def add_services(node: RosNode, outside: Outside) -> None:
    """Offer ``~/pause`` and its like, and the standard services of simulators."""
    from rcl_interfaces.srv import SetParametersAtomically
    from std_srvs.srv import Empty, SetBool, Trigger

    def offer(kind: object, name: str, answer: Callable[[Message, Message], Message]) -> None:
        node.create_service(kind, name, answer)

    services = outside.services
    for name in TRIGGERS:
        if name in services:
            offer(Trigger, f"~/{name}", _trigger(services[name]))
    offer(SetBool, "~/set_paused", _set_paused(services["pause"], services["resume"]))
    offer(SetParametersAtomically, "~/call", _any(services))
    # under these names and types Gazebo's ROS 2 plug-ins offered them
    for gazebo, ours in (("pause_physics", "pause"), ("unpause_physics", "resume")):
        offer(Empty, gazebo, _empty(services[ours], node.get_logger().warning))
    add_simulation_services(offer, outside)


def _trigger(service: Service) -> Callable[[Message, Message], Message]:
    def answer(_: Message, response: Message) -> Message:
        try:
            response.message = json.dumps(service({}), default=str)
            response.success = True
        except Exception as error:
            response.success, response.message = False, reason(error)
        return response

    return answer


def _set_paused(pause: Service, resume: Service) -> Callable[[Message, Message], Message]:
    def answer(request: Message, response: Message) -> Message:
        return _trigger(pause if request.data else resume)(request, response)

    return answer


def _any(services: Mapping[str, Service]) -> Callable[[Message, Message], Message]:
    """Return what carries out services by their names: the value of each is its arguments.

    A type of our own cannot be made at run time for services; this one comes with every ROS 2, and
    carries names with texts in, and success with a text out.
    """

    def answer(request: Message, response: Message) -> Message:
        response.result.successful, response.result.reason = False, "no service is named"
        for asked in request.parameters:
            done, text = _carried_out(services, asked.name, asked.value.string_value)
            response.result.successful, response.result.reason = done, text
            if not done:
                break
        return response

    return answer


def _carried_out(services: Mapping[str, Service], name: str, arguments: str) -> tuple[bool, str]:
    try:
        return call_any(services, name, arguments)
    except Exception as error:  # nothing that fails may escape to the executor
        return False, reason(error)


def _empty(service: Service, say: Callable[[str], object]) -> Callable[[Message, Message], Message]:
    def answer(_: Message, response: Message) -> Message:
        try:
            service({})
        except Exception as error:  # the type has no room for a reason
            say(f"ros2: {reason(error)}")
        return response

    return answer
