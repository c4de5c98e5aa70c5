"""XML-RPC as ROS 1 speaks it: every answer is ``[code, message, value]``."""

import socketserver
import threading
import xmlrpc.client
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any, TypeAlias
from urllib.parse import urlsplit
from xml.parsers.expat import ExpatError
from xmlrpc.server import SimpleXMLRPCRequestHandler, SimpleXMLRPCServer

from outrider.core.errors import BridgeError

Answer: TypeAlias = tuple[int, str, Any]
Method: TypeAlias = Callable[..., Answer]

_LARGEST = 16 * 1024 * 1024  # bytes of one request
_CROWD = 128  # connections at once
_PATIENCE_S = 30.0


class _Handler(SimpleXMLRPCRequestHandler):
    rpc_paths = ()  # any path: roscpp and rospy do not agree on one
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE_S
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        size = self.headers.get("content-length", "")
        if not size.isdecimal() or int(size) > _LARGEST:
            self.close_connection = True
            self.send_error(413)
            return
        super().do_POST()

    def log_message(self, *_: object) -> None:
        """Say nothing: others' requests are no news."""


class XmlRpcServer(socketserver.ThreadingMixIn, SimpleXMLRPCServer):
    """Answers calls from a table of methods, each connection in a thread of its own."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    allow_reuse_address = True

    def __init__(self, host: str, port: int, methods: Mapping[str, Method]) -> None:
        self._methods = methods
        self._crowd = threading.BoundedSemaphore(_CROWD)
        self.refused = 0
        SimpleXMLRPCServer.__init__(
            self, (host, port), requestHandler=_Handler, logRequests=False, allow_none=True
        )
        self.port: int = self.server_address[1]
        self._thread = threading.Thread(
            target=self.serve_forever, args=(0.5,), name="outrider-xmlrpc", daemon=True
        )

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def close(self) -> None:
        """Stop answering."""
        if self._thread.is_alive():
            self.shutdown()
            self._thread.join(timeout=2.0)
        self.server_close()

    def _dispatch(self, method: str, params: Any) -> Any:
        found = self._methods.get(method)
        if found is None:
            return [-1, f"there is no method {method}", 0]
        try:
            return list(found(*params))
        except TypeError as error:
            return [-1, f"Error: bad call arity or argument: {error}", 0]
        except (ValueError, BridgeError) as error:
            return [-1, str(error), 0]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Take a connection unless too many are open."""
        if not self._crowd.acquire(blocking=False):
            self.refused += 1
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve one connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._crowd.release()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - its shape
        """Count a connection that broke off or spoke nonsense."""
        self.refused += 1


class _Transport(xmlrpc.client.Transport):
    def __init__(self, timeout_s: float) -> None:
        super().__init__()
        self._timeout_s = timeout_s

    def make_connection(self, host: Any) -> HTTPConnection:
        connection = super().make_connection(host)
        connection.timeout = self._timeout_s
        return connection


def call(uri: str, method: str, *args: Any, timeout_s: float = 2.0) -> Answer:
    """Call a method of a master or a node; raises BridgeError if nothing sensible answers."""
    if urlsplit(uri).scheme != "http":
        raise BridgeError(f"'{uri}' is no address of a ROS 1 node: http://host:port/")
    transport = _Transport(timeout_s)
    try:
        with xmlrpc.client.ServerProxy(uri, transport=transport, allow_none=True) as proxy:
            answer = getattr(proxy, method)(*args)
    except (OSError, HTTPException, xmlrpc.client.Error, ExpatError, ValueError) as error:
        raise BridgeError(f"{uri} does not answer {method}: {error}") from None
    if not isinstance(answer, list) or len(answer) != 3 or not isinstance(answer[0], int):
        raise BridgeError(f"{uri} answers {method} with {answer!r:.60}")
    return answer[0], str(answer[1]), answer[2]
