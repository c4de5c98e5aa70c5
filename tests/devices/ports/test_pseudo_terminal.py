"""Pseudo-terminals as other programs see them: serial ports with a stable name."""

import os
import subprocess
import sys
import time

import pytest
import serial

from outrider.core.errors import BridgeError
from outrider.devices.ports.pseudo_terminal import PseudoTerminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pseudo-terminals")


@pytest.fixture
def port(tmp_path):
    port = PseudoTerminal(tmp_path / "ports" / "device")
    yield port
    port.close()


def received(port, count, limit_s=30.0):
    data, end = b"", time.monotonic() + limit_s
    while len(data) < count and time.monotonic() < end:
        data += port.read()
        time.sleep(0.002)
    return data


def test_a_serial_program_reads_and_writes_all_bytes(port):
    everything = bytes(range(256))
    with serial.Serial(port.address, 57600, timeout=30) as program:
        port.read()
        assert port.connected
        assert port.baud == 57600
        assert port.write(everything) == 256
        assert program.read(256) == everything
        program.write(everything)
        assert received(port, 256) == everything
        program.baudrate = 115200
        assert port.baud == 115200
    port.read()
    assert not port.connected


def test_what_is_said_while_nobody_listens_is_lost(port):
    port.read()
    assert port.write(b"early") == 5
    with serial.Serial(port.address, timeout=30) as program:
        port.read()
        port.write(b"late")
        assert program.read(4) == b"late"


def test_a_shell_can_use_it_too(port):
    shell = subprocess.Popen(
        ["sh", "-c", f"exec 3<>{port.address}; printf hello >&3; head -c 5 <&3"],
        stdout=subprocess.PIPE,
    )
    assert received(port, 5) == b"hello"
    port.write(b"world")
    assert shell.communicate(timeout=30)[0] == b"world"


def test_a_program_that_never_reads_fills_its_own_buffer_only(port):
    with serial.Serial(port.address):
        port.read()
        sent = sum(port.write(b"x" * 1000) for _ in range(1000))
        assert sent < 1_000_000


def test_it_is_opened_and_closed_a_thousand_times(port):
    for _ in range(1000):
        end = os.open(port.address, os.O_RDWR | os.O_NOCTTY)
        os.close(end)
        port.read()
    assert not port.connected
    with serial.Serial(port.address, timeout=30) as program:
        program.write(b"still here")
        assert received(port, 10) == b"still here"


def test_the_name_belongs_to_one_run_and_goes_with_it(tmp_path):
    link = tmp_path / "device"
    first = PseudoTerminal(link)
    with pytest.raises(BridgeError, match="in use by another run"):
        PseudoTerminal(link)
    first.close()
    assert not link.is_symlink()
    PseudoTerminal(link).close()


def test_what_a_killed_run_left_is_replaced_but_never_a_file(tmp_path):
    stale = tmp_path / "stale"
    stale.symlink_to("/dev/pts/no-such-terminal")
    port = PseudoTerminal(stale)
    assert str(stale.readlink()) == port.device
    port.close()
    (tmp_path / "file").write_text("precious")
    with pytest.raises(BridgeError, match="is not a link"):
        PseudoTerminal(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "precious"
