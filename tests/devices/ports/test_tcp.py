"""Serial over TCP, with pyserial's client of RFC 2217."""

import random
import socket
import threading
import time
from contextlib import suppress

import pytest
import serial

from outrider.core.errors import BridgeError
from outrider.devices.ports.tcp import TcpPort
from outrider.devices.ports.telnet import Telnet, escaped


@pytest.fixture
def port():
    port = TcpPort("127.0.0.1", 0)
    yield port
    port.close()


@pytest.fixture
def echoing(port):
    """Say everything back, as long as the test lasts."""
    ended = threading.Event()

    def run():
        while not ended.wait(0.001):
            left = port.read()
            while left and not ended.is_set():
                left = left[port.write(left) :]

    thread = threading.Thread(target=run)
    thread.start()
    yield port
    ended.set()
    thread.join()


def test_pyserial_talks_over_it(echoing):
    with serial.serial_for_url(echoing.address, baudrate=57600, timeout=30) as program:
        everything = bytes(range(256)) * 4
        program.write(everything)
        assert program.read(1024) == everything
        assert echoing.baud == 57600
        program.baudrate = 4_294_967  # 0x0041_8937: and a byte of 255 elsewhere
        program.dtr = False
        program.write(b"more")
        assert program.read(4) == b"more"
        assert echoing.baud == 4_294_967


def test_a_plain_socket_talks_over_it_too(echoing):
    with socket.create_connection(("127.0.0.1", echoing.port)) as program:
        program.settimeout(30)
        program.sendall(escaped(b"\xff\x01"))
        assert program.recv(10) == b"\xff\xff\x01"


def test_a_second_program_is_sent_away_and_the_next_is_served(echoing):
    with socket.create_connection(("127.0.0.1", echoing.port)) as first:
        first.settimeout(30)
        first.sendall(b"a")
        assert first.recv(1) == b"a"
        with socket.create_connection(("127.0.0.1", echoing.port)) as second:
            second.settimeout(30)
            assert second.recv(1) == b""
    for _ in range(100):
        with (
            suppress(ConnectionError),
            socket.create_connection(("127.0.0.1", echoing.port)) as after,
        ):
            after.settimeout(30)
            after.sendall(b"b")
            if after.recv(1) == b"b":
                return
        time.sleep(0.01)
    pytest.fail("nobody was served after the first had gone")


def test_a_port_that_is_taken_is_told(port):
    with pytest.raises(BridgeError, match=f"cannot listen on 127.0.0.1:{port.port}"):
        TcpPort("127.0.0.1", port.port)


def test_garbage_never_fails_and_stays_bounded():
    source = random.Random(1)
    telnet = Telnet()
    for _ in range(2000):
        telnet.feed(source.randbytes(50).replace(b"\x00", b"\xff\xfa"))
        telnet.answer.clear()
        assert len(telnet._left) < 1000


def test_settings_with_a_byte_of_255_are_read():
    telnet = Telnet()
    data = bytes([255, 250, 44, 1]) + escaped(bytes([0, 0, 255, 255])) + bytes([255, 240])
    for byte in b"x" + data + b"y":
        assert telnet.feed(bytes([byte])) in (b"", b"x", b"y")
    assert telnet.baud == 65535
