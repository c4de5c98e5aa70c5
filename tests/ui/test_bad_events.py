"""Events that no page of ours sends."""

import asyncio
import logging
import time

import pytest
import socketio
from websockets.sync.client import connect

from outrider.ui.link.bad_events import tell_briefly
from outrider.ui.link.server import Server


@pytest.fixture
def server():
    """Return a server of events, as NiceGUI is one."""
    events = socketio.AsyncServer(async_mode="asgi")

    @events.on("event")
    def _on_event(_, message):
        message["client_id"]

    @events.on("good")
    def _on_good(_, message):
        return message

    made = Server("127.0.0.1", 0)
    made.start(socketio.ASGIApp(events), "", required=False)
    yield made
    made.close()


def _ask(server, *texts):
    """Send packets, then one that is answered, and return the answer."""
    address = f"ws://127.0.0.1:{server.port}/socket.io/?EIO=4&transport=websocket"
    with connect(address) as client:
        client.recv(timeout=20)
        client.send("40")
        client.recv(timeout=20)
        for text in texts:
            client.send(text)
        client.send('421["good","still there"]')
        return client.recv(timeout=20)


@pytest.mark.parametrize(
    ("packet", "told"),
    [('42["event",{}]', "KeyError('client_id')"), ("42[]", "IndexError(")],
)
def test_a_bad_event_is_one_sentence_for_each_kind(server, capfd, packet, told):
    assert _ask(server, packet, packet, packet) == '431["still there"]'
    said, end = "", time.monotonic() + 20
    while "\n" not in said and time.monotonic() < end:
        said += capfd.readouterr().err
        time.sleep(0.05)
    server.close()
    said += capfd.readouterr().err
    assert said.splitlines()[0].startswith(f"editor: an event of a client is ignored: {told}")
    assert len(said.splitlines()) == 1


def test_what_goes_wrong_in_a_task_of_ours_is_told_in_full(caplog):
    async def fails():
        raise RuntimeError("ours")

    async def leave():
        tell_briefly(asyncio.get_running_loop())
        task = asyncio.create_task(fails())
        await asyncio.wait([task])
        del task

    asyncio.run(leave())
    assert "RuntimeError: ours" in caplog.text


def test_a_page_that_does_not_exist_is_told_once_and_never_in_full(server, caplog, capfd):
    for number in range(9):
        logging.getLogger("nicegui").warning(f"http://127.0.0.1/{'x' * 9000}{number} not found")
    server.close()
    said = capfd.readouterr().err
    assert said.startswith("editor: there is no such page: http://127.0.0.1/xxx")
    assert len(said) < 300
    assert caplog.text == ""
