"""outrider udp-bridge: the UDP Bridge's ROS side, as a node of ROS 1 or ROS 2."""

from typing import Annotated

import typer

from outrider.core.errors import ConfigError

Simulator = Annotated[
    str, typer.Option(metavar="HOST:PORT", help="Address of 'outrider run --bridge udp'.")
]


def udp_bridge(
    ros1: Annotated[bool, typer.Option("--ros1", help="Run as a ROS 1 node.")] = False,
    ros2: Annotated[bool, typer.Option("--ros2", help="Run as a ROS 2 node.")] = False,
    simulator: Simulator = "127.0.0.1:9870",
    options: Annotated[
        str, typer.Option(metavar="KEY=VALUE,...", help="Options of the bridge ros1 or ros2.")
    ] = "",
    token: Annotated[str, typer.Option(help="Token, if the simulator requires one.")] = "",
) -> None:
    """Publish in ROS what a simulator sends over UDP, and send it what it subscribes to."""
    if ros1 == ros2:
        raise ConfigError("udp-bridge: give either --ros1 or --ros2")
    from outrider.bridges.bridge import Outside
    from outrider.bridges.udp.relay import Relay
    from outrider.cli.run import stopped_by_signals
    from outrider.scenarios.bridging import bridged

    relay = Relay(simulator, token=token)
    outside = Outside(relay.bus, {}, lambda: relay.client.now_ns, list, "udp-bridge")
    try:
        with bridged([_node(ros1, options)], lambda: outside), stopped_by_signals(relay.stop):
            relay.start()
            typer.echo(
                f"outrider: waiting for the simulator at {simulator}; Ctrl-C ends it", err=True
            )
            relay.run()
    finally:
        typer.echo(_summary(relay.client.statistics()), err=True)
        relay.close()


def _node(ros1: bool, options: str) -> str:
    """Return the bridge's text: a node with a name of its own that offers no control services."""
    given = [option for option in options.split(",") if option]
    named = {option.partition("=")[0] for option in given}
    ours = {"node": "outrider_udp_bridge"}
    if ros1:
        ours["gazebo"] = "false"
    added = [f"{key}={value}" for key, value in ours.items() if key not in named]
    return f"{'ros1' if ros1 else 'ros2'}:{','.join([*given, *added])}"


def _summary(found: dict[str, int]) -> str:
    shown = ("messages in", "bytes in", "messages out", "lost", "incomplete", "late", "duplicate")
    return "udp: " + ", ".join(f"{key} {found.get(key, 0)}" for key in shown)
