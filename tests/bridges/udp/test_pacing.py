"""What is on the way never exceeds the receiver's buffer; silence does not stop the sender."""

import pytest

from outrider.bridges.udp.pacing import REPORT, Pacing, report_interval

SIZE = 65_507


class Sender:
    """Sends numbered datagrams at given times."""

    def __init__(self, rate=100e6):
        self.pacing = Pacing(rate)
        self.sent = 0

    def burst(self, now_s, most=1000):
        """Return how many datagrams go out at one moment."""
        before = self.sent
        while self.pacing.room(now_s) > 0 and self.sent - before < most:
            self.pacing.sent("/cloud", 1, self.sent, SIZE, now_s)
            self.sent += 1
        return self.sent - before

    def report(self, part, buffer):
        self.pacing.reported("/cloud", REPORT.pack(1, part, buffer))


@pytest.mark.parametrize("buffer", [212_992, 425_984, 8 << 20, 64 << 20])
def test_a_reporting_receivers_buffer_is_never_overrun(buffer):
    sender, read, unreported = Sender(), 0, 0
    for step in range(2000):
        sender.burst(step * 0.001)
        waiting = (sender.sent - read) * (SIZE + 1024)
        assert waiting <= max(buffer / 2, 2 * (SIZE + 1024))
        if read < sender.sent and step % 3:  # the receiver is slower than the sender
            unreported += SIZE
            if read == 0 or unreported >= report_interval(buffer):
                sender.report(read, buffer)
                unreported = 0
            read += 1
    assert sender.sent > 1300  # it is the receiver that sets the speed, not a time-out
    assert sender.pacing.stalls == 0


def test_a_lost_report_delays_and_does_not_stop():
    sender = Sender()
    sender.burst(0.0)
    sender.report(0, 8 << 20)
    full = sender.burst(0.01)
    assert full > 10
    assert sender.burst(0.2) == 0
    assert sender.burst(0.3) > 0  # no report for too long: it goes on
    assert sender.pacing.stalls == 1


def test_a_receiver_that_never_reports_is_sent_to_at_the_rate():
    sender = Sender(rate=10e6)
    sent = sum(sender.burst(step * 0.001) for step in range(5000)) * SIZE
    assert 0.9 * 10e6 * 5 < sent < 1.05 * 10e6 * 5
    assert not sender.pacing.reports


def test_a_receiver_that_reports_again_is_believed_again():
    sender = Sender(rate=10e6)
    for step in range(1000):
        sender.burst(step * 0.001)
    sender.report(sender.sent - 1, 8 << 20)
    assert sender.pacing.reports
    assert sender.burst(1.0) * SIZE > 1_000_000


@pytest.mark.parametrize("body", [b"", b"x" * 11, b"x" * 13, REPORT.pack(1, 999, 8 << 20)])
def test_a_report_of_nothing_that_was_sent_changes_nothing(body):
    sender = Sender()
    sender.burst(0.0)
    sender.pacing.reported("/cloud", body)
    sender.pacing.reported("/other", REPORT.pack(1, 0, 8 << 20))
    assert not sender.pacing.reports
    assert sender.burst(0.0) == 0
