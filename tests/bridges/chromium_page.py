"""One page in a Chromium without a window, spoken to by its debugging port."""

import base64
import http.server
import json
import subprocess
import threading
import urllib.request
from contextlib import ExitStack, contextmanager, suppress
from functools import partial

from waiting import stop_program, wait_until
from websockets.sync.client import connect


class Page:
    """What is evaluated, pressed and seen."""

    def __init__(self, socket):
        self._socket, self._number = socket, 0

    def do(self, method, **params):
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            found = json.loads(self._socket.recv(timeout=60))
            if found.get("id") == self._number:
                assert "error" not in found, found
                return found["result"]

    def value(self, expression):
        found = self.do(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def shows(self, url):
        """Tell whether a page is loaded; between one and the next nothing can be asked."""
        with suppress(AssertionError):
            found = self.value("[location.href, document.readyState]")
            return found == [url, "complete"]

    def text(self, ident):
        return self.value(f"document.getElementById('{ident}')?.textContent")

    def key(self, name, down):
        self.do("Input.dispatchKeyEvent", type="keyDown" if down else "keyUp", key=name)

    def picture(self, path):
        data = self.do("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@contextmanager
def hosted(folder):
    """Serve a folder on loopback, as ``python -m http.server`` does; give its address."""
    handler = partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@contextmanager
def page(url, home):
    """Open a page."""
    command = [
        "chromium",
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-dev-shm-usage",
        "--window-size=1080,720",
        f"--user-data-dir={home}",
        "--remote-debugging-port=0",
        "--remote-allow-origins=*",
        url,
    ]
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        mark = home / "DevToolsActivePort"
        wait_until(lambda: mark.exists() and mark.read_text().strip(), "the browser")
        port = mark.read_text().split()[0]

        def pages():
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=30) as answer:
                return [one for one in json.load(answer) if one["url"] == url]

        wait_until(pages, "the page")
        with ExitStack() as opened:
            place = pages()[0]["webSocketDebuggerUrl"]
            made = Page(opened.enter_context(connect(place, max_size=None, open_timeout=60)))
            wait_until(lambda: made.shows(url), "the page to be loaded")
            yield made
    finally:
        stop_program(started)
