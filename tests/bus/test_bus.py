import threading
import time

import pytest

from outrider.bus.bus import Bus
from outrider.core.errors import BusError
from outrider.messages.types import Clock, Twist, Vector3
from outrider.messages.types import time as stamp

CLOCK = "rosgraph_msgs/msg/Clock"


def clock(time_ns: int) -> Clock:
    return Clock(stamp(time_ns))


def twist(x: float) -> Twist:
    return Twist(Vector3(x, 0.0, 0.0), Vector3(0.0, 0.0, 0.0))


@pytest.fixture
def bus():
    made = Bus()
    made.declare("/clock", CLOCK)
    return made


def test_the_latest_wins_and_the_rest_is_counted(bus):
    reader = bus.subscribe("/clock")
    for time_ns in (1, 2, 3):
        bus.publish("/clock", clock(time_ns), time_ns)
    assert reader.poll() == (3, clock(3))
    assert reader.poll() is None
    assert reader.latest == (3, clock(3))
    assert reader.dropped == 2


def test_keep_all_gives_everything_in_order_up_to_its_depth(bus):
    reader = bus.subscribe("/clock", kept="all", depth=3)
    for time_ns in range(5):
        bus.publish("/clock", clock(time_ns), time_ns)
    assert [reader.poll()[0] for _ in range(3)] == [2, 3, 4]
    assert reader.poll() is None
    assert reader.dropped == 2


def test_a_subscription_keeps_the_latest_or_all_and_nothing_else(bus):
    with pytest.raises(BusError, match="/clock: kept: expected 'latest' or 'all', got 'every'"):
        bus.subscribe("/clock", kept="every")


def test_a_reader_takes_the_way_of_the_topic_unless_it_says_otherwise(bus):
    bus.declare("/collisions", CLOCK, kept="all")
    everything, newest = bus.subscribe("/collisions"), bus.subscribe("/collisions", kept="latest")
    for time_ns in (1, 2):
        bus.publish("/collisions", clock(time_ns), time_ns)
    assert [everything.poll()[0], everything.poll()[0]] == [1, 2]
    assert newest.poll()[0] == 2
    assert newest.poll() is None


def test_a_topic_may_be_declared_after_its_reader_came():
    bus = Bus()
    reader = bus.subscribe("/events")
    bus.declare("/events", CLOCK, kept="all")
    bus.publish("/events", clock(1), 1)
    bus.publish("/events", clock(2), 2)
    assert [reader.poll()[0], reader.poll()[0]] == [1, 2]


def test_a_latched_topic_tells_late_readers_what_was_said_last():
    bus = Bus()
    bus.declare("/tf_static", CLOCK, latched=True)
    early = bus.subscribe("/tf_static")
    bus.publish("/tf_static", clock(1), 1)
    bus.publish("/tf_static", clock(2), 2)
    late = bus.subscribe("/tf_static")
    assert early.poll()[0] == 2
    assert late.poll()[0] == 2
    assert bus.topics()[0].subscribers == 2
    late.close()
    bus.publish("/tf_static", clock(3), 3)
    assert late.poll() is None
    assert early.poll()[0] == 3


def test_an_offer_is_made_only_for_a_listener_but_always_counted(bus):
    made = []

    def make(_):
        made.append(1)
        return clock(7)

    bus.offer("/clock", make, 7)
    assert made == []
    reader = bus.subscribe("/clock")
    bus.offer("/clock", make, 7)
    assert made == [1]
    assert reader.poll()[0] == 7
    assert bus.topics()[0].count == 2


def test_an_offer_to_a_latched_topic_is_always_made():
    bus = Bus()
    bus.declare("/map", CLOCK, latched=True)
    bus.offer("/map", lambda _: clock(4), 4)
    assert bus.subscribe("/map").poll()[0] == 4


def test_a_closed_reader_gets_nothing_more_and_leaves_no_trace(bus):
    reader, waiting = bus.subscribe("/clock"), bus.subscribe("/later")
    reader.close()
    reader.close()
    waiting.close()
    bus.publish("/clock", clock(1), 1)
    bus.declare("/later", CLOCK)
    bus.publish("/later", clock(1), 1)
    assert reader.poll() is None
    assert waiting.poll() is None
    assert [topic.subscribers for topic in bus.topics()] == [0, 0]


def test_the_wrong_class_is_refused_with_both_names(bus):
    with pytest.raises(BusError, match="'/clock' carries rosgraph_msgs/msg/Clock, not geometry_m"):
        bus.publish("/clock", twist(1.0), 0)
    with pytest.raises(BusError, match="not int"):
        bus.publish("/clock", 3, 0)
    bus.subscribe("/clock")
    with pytest.raises(BusError, match="not geometry_msgs/msg/Twist"):
        bus.offer("/clock", lambda _: twist(1.0), 0)


def test_a_mapping_of_fields_is_published_as_a_message(bus):
    got = bus.subscribe("/clock")
    bus.publish("/clock", {"clock": {"sec": 7}}, 5)
    time_ns, message = got.poll()
    assert (time_ns, message.clock.sec, message.clock.nanosec) == (5, 7, 0)
    with pytest.raises(BusError, match="clok"):
        bus.publish("/clock", {"clok": {}}, 0)


def test_who_listens_to_a_topic_that_is_not_there_is_warned(bus):
    with pytest.warns(UserWarning, match="no topic '/clok' yet .did you mean '/clock'"):
        bus.subscribe("/clok")


def test_a_second_declaration_must_agree(bus):
    assert bus.declare("/clock", "rosgraph_msgs/Clock") is bus.channel("/clock")
    with pytest.raises(BusError, match=r"already carries rosgraph_msgs/msg/Clock, not std_msgs"):
        bus.declare("/clock", "std_msgs/msg/Header")


def test_unknown_and_impossible_names_are_refused(bus):
    with pytest.raises(BusError, match=r"no topic '/clok'.*'/clock'"):
        bus.publish("/clok", clock(0), 0)
    with pytest.raises(BusError, match="is not a topic name"):
        bus.declare("clock", CLOCK)
    with pytest.raises(BusError, match="is not a topic name"):
        bus.subscribe("/a b")


def test_a_renamed_topic_keeps_its_readers_and_wins_those_waiting(bus):
    before, waiting = bus.subscribe("/clock"), bus.subscribe("/sim_clock")
    channel = bus.channel("/clock")
    bus.remap("/clock", "/sim_clock")
    after_old = bus.subscribe("/clock")
    channel.publish(clock(1), 1)
    assert before.poll()[0] == 1
    assert waiting.poll()[0] == 1
    assert after_old.poll() is None
    bus.publish("/clock", clock(2), 2)  # the loop still uses the name it knew
    assert waiting.poll()[0] == 2
    assert [topic.name for topic in bus.topics()] == ["/sim_clock"]


def test_a_freed_name_can_be_taken_by_another_topic(bus):
    bus.remap("/clock", "/sim_clock")
    bus.declare("/clock", "geometry_msgs/Twist")
    reader, other = bus.subscribe("/clock"), bus.subscribe("/sim_clock")
    bus.publish("/clock", twist(1.0), 5)
    assert reader.poll()[0] == 5
    assert other.poll() is None


def test_two_topics_can_swap_names():
    bus = Bus()
    a, b = bus.declare("/a", CLOCK), bus.declare("/b", CLOCK)
    bus.remap("/a", "/tmp")
    bus.remap("/b", "/a")
    bus.remap("/tmp", "/b")
    reader = bus.subscribe("/a")
    a.publish(clock(1), 1)
    assert reader.poll() is None
    b.publish(clock(2), 2)
    assert reader.poll()[0] == 2


def test_impossible_renamings_are_refused(bus):
    bus.declare("/other", CLOCK)
    with pytest.raises(BusError, match="there is a topic '/other'"):
        bus.remap("/clock", "/other")
    with pytest.raises(BusError, match=r"no topic '/clck' to rename.*'/clock'"):
        bus.remap("/clck", "/x")
    with pytest.raises(BusError, match="is not a topic name"):
        bus.remap("/clock", "x")
    bus.remap("/clock", "/clock")
    assert bus.channel("/clock").name == "/clock"


def test_a_waiting_reader_is_woken(bus):
    wake = threading.Event()
    reader = bus.subscribe("/clock", wake=wake)
    threading.Timer(0.02, lambda: bus.publish("/clock", clock(9), 9)).start()
    assert wake.wait(5.0)
    wake.clear()
    assert reader.poll()[0] == 9


def test_nothing_is_lost_between_threads(bus):
    wake = threading.Event()
    reader = bus.subscribe("/clock", kept="all", depth=20_000, wake=wake)
    publishers = [
        threading.Thread(target=lambda: [bus.publish("/clock", clock(i), i) for i in range(2000)])
        for _ in range(4)
    ]
    for thread in publishers:
        thread.start()
    got, end = 0, time.monotonic() + 10
    while got < 8000 and time.monotonic() < end:
        wake.wait(0.5)
        wake.clear()
        while reader.poll():
            got += 1
    assert got == 8000
    assert reader.dropped == 0


def test_publishing_under_a_name_that_is_being_changed_never_fails(bus):
    stop, failures = threading.Event(), []

    def publish():
        while not stop.is_set():
            try:
                bus.publish("/clock", clock(1), 1)
            except BusError as error:
                failures.append(error)

    thread = threading.Thread(target=publish)
    thread.start()
    for _ in range(300):
        bus.remap("/clock", "/elsewhere")
        bus.remap("/elsewhere", "/clock")
    stop.set()
    thread.join()
    assert failures == []


def test_a_tap_hands_on_every_message_at_once_in_the_publishers_thread(bus):
    seen = []
    tap = bus.tap("/clock", lambda t, m: seen.append((t, m.clock.sec, threading.get_ident())))
    bus.publish("/clock", clock(7_000_000_000), 7)
    assert seen == [(7, 7, threading.get_ident())]
    bus.remap("/clock", "/time")
    bus.publish("/time", clock(8_000_000_000), 8)
    tap.close()
    bus.publish("/time", clock(9_000_000_000), 9)
    assert [t for t, *_ in seen] == [7, 8]


def test_a_tap_gets_what_a_latched_topic_said_last_and_waits_for_topics_to_come(bus):
    seen = []
    bus.declare("/kept", CLOCK, latched=True)
    bus.publish("/kept", clock(1), 1)
    bus.tap("/kept", lambda t, _: seen.append(t))
    bus.tap("/later", lambda t, _: seen.append(t))
    bus.declare("/later", CLOCK)
    bus.publish("/later", clock(2), 2)
    assert seen == [1, 2]
