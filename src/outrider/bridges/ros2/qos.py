"""The quality of service of each topic, compatible with every subscriber and publisher."""

from typing import TYPE_CHECKING

from outrider.bus.channel import TopicInfo

if TYPE_CHECKING:
    from rclpy.qos import QoSProfile

_DEPTHS = {"/tf": 100, "/clock": 1}
_LEAST, _MOST = 10, 100  # messages of a stream that are kept: those of one second
_COMMAND_DEPTH = 10


def published(topic: TopicInfo, reliable: bool) -> "QoSProfile":
    """Return the profile of a topic we publish: latched ones are kept for late joiners.

    A reliable writer serves readers of both kinds, so that is the rule (REP 2003 has it too);
    ``reliable`` of False makes streams best effort.
    """
    from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy

    if topic.latched:
        return QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    policy = ReliabilityPolicy.RELIABLE if reliable else ReliabilityPolicy.BEST_EFFORT
    depth = _DEPTHS.get(topic.name) or min(max(_LEAST, round(topic.rate_hz)), _MOST)
    return QoSProfile(depth=depth, reliability=policy)


def received() -> "QoSProfile":
    """Return the profile of a topic we listen to: a best-effort reader matches every writer."""
    from rclpy.qos import QoSProfile, ReliabilityPolicy

    return QoSProfile(depth=_COMMAND_DEPTH, reliability=ReliabilityPolicy.BEST_EFFORT)
