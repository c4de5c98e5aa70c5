"""Latched topics in ROS 2's terms: the durability 'transient local' in a topic's QoS."""

from collections.abc import Sequence

from rosbags.interfaces import (
    Qos,
    QosDurability,
    QosHistory,
    QosLiveliness,
    QosReliability,
    QosTime,
)
from rosbags.rosbag2.metadata import dump_qos_v8, parse_qos

OFFERED_QOS = "offered_qos_profiles"  # the key in a channel's metadata
_FOR_EVER = QosTime(2147483647, 4294967295)


def offered(latched: bool) -> Qos:
    """Return the profile that our topics have."""
    return Qos(
        history=QosHistory.KEEP_LAST,
        depth=1 if latched else 10,
        reliability=QosReliability.RELIABLE,
        durability=QosDurability.TRANSIENT_LOCAL if latched else QosDurability.VOLATILE,
        deadline=_FOR_EVER,
        lifespan=_FOR_EVER,
        liveliness=QosLiveliness.AUTOMATIC,
        liveliness_lease_duration=_FOR_EVER,
        avoid_ros_namespace_conventions=False,
    )


def qos_text(latched: bool) -> str:
    """Return it as a channel's metadata have it."""
    return str(dump_qos_v8([offered(latched)]))


def is_latched(profiles: Sequence[Qos]) -> bool:
    """Return whether late readers get the last message."""
    return any(profile.durability == QosDurability.TRANSIENT_LOCAL for profile in profiles)


def text_is_latched(text: str) -> bool:
    """Tell it from a channel's metadata; what cannot be read says no."""
    try:
        return is_latched(parse_qos(text)) if text else False
    except Exception:  # another program's text
        return False
