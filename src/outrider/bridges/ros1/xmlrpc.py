"""XML-RPC as ROS 1 uses it: every response is ``[code, message, value]``.

The server accepts calls from ROS nodes and refuses what a web page in a browser could send. Idle
connections are closed in favour of new ones, so that many of them lock nobody out.
"""

import inspect
import ipaddress
import re
import socket
import socketserver
import threading
import xmlrpc.client
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any, TypeAlias
from urllib.parse import urlsplit
from xml.parsers.expat import ExpatError
from xmlrpc.server import SimpleXMLRPCRequestHandler, SimpleXMLRPCServer

from outrider.core.errors import BridgeError, PeerGoneError
from outrider.messages.types import Message

Answer: TypeAlias = tuple[int, str, object]
Method: TypeAlias = Callable[..., Answer]

_LARGEST = 16 * 1024 * 1024  # bytes of one request
_CROWD = 128  # connections at once
_PATIENCE_S = 30.0
_DEEPEST = 100  # values inside values
_MOST_CALLS = 1000  # in one system.multicall
_VALUE = re.compile(rb"<(/?)value\b")
_XML = ("text/xml", "application/xml")


class _Handler(SimpleXMLRPCRequestHandler):
    rpc_paths = ()  # any path: roscpp and rospy do not agree on one
    protocol_version = "HTTP/1.1"
    timeout = _PATIENCE_S
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        size = self.headers.get("content-length", "")
        if not size.isdecimal() or int(size) > _LARGEST:
            self._refuse(413)
        elif "origin" in self.headers or not self._is_xml() or not self._is_for_us():
            self._refuse(403)
        else:
            super().do_POST()

    def _is_xml(self) -> bool:
        """Distinguish a node's request from one that any web page could send."""
        kind = self.headers.get("content-type", "").partition(";")[0]
        return kind.strip().lower() in _XML

    def _is_for_us(self) -> bool:
        """Refuse names that a stranger's name server may have pointed at this machine."""
        host = self.headers.get("host", "").rpartition(":")[0] or self.headers.get("host", "")
        server = self.server
        assert isinstance(server, XmlRpcServer)
        return not host or host in server.names or _is_address(host.strip("[]"))

    def _refuse(self, code: int) -> None:
        self.close_connection = True
        self.send_error(code)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


class XmlRpcServer(socketserver.ThreadingMixIn, SimpleXMLRPCServer):
    """Serves calls from a table of methods, each connection in its own thread."""

    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    allow_reuse_address = True

    def __init__(
        self, host: str, port: int, methods: Mapping[str, Method], shown: str = "localhost"
    ) -> None:
        """``shown`` is the name under which others know this machine."""
        self._methods = methods
        self._open: dict[socket.socket, None] = {}  # the oldest first
        self._lock = threading.Lock()
        self.names = {"localhost", socket.gethostname(), socket.getfqdn(), host, shown}
        self.refused = 0
        SimpleXMLRPCServer.__init__(
            self, (host, port), requestHandler=_Handler, logRequests=False, allow_none=True
        )
        self.port: int = self.server_address[1]
        self._thread = threading.Thread(
            target=self.serve_forever, args=(0.5,), name="outrider-xmlrpc", daemon=True
        )

    def start(self) -> None:
        """Start serving."""
        self._thread.start()

    def close(self) -> None:
        """Stop answering."""
        if self._thread.is_alive():
            self.shutdown()
            self._thread.join(timeout=2.0)
        self.server_close()

    def _marshaled_dispatch(self, data: Any, *args: object, **named: object) -> Any:
        """Answer one request; one that no node sends is answered without being taken apart."""
        del args, named
        if _depth(data) > _DEEPEST:
            return _packed([-1, f"values are nested more than {_DEEPEST} deep", 0])
        try:
            params, method = xmlrpc.client.loads(data)
        except Exception:  # whatever the parser makes of what is no call
            self.refused += 1
            return _packed([-1, "this is not an XML-RPC call", 0])
        try:
            return _packed(self._dispatch(str(method), params))
        except (TypeError, ValueError, OverflowError):
            return _packed([-1, f"{method!s:.60}: its answer cannot be written as XML-RPC", 0])

    def _dispatch(self, method: str, params: Any) -> list[object]:
        if method == "system.multicall":
            return self._multicall(params)
        found = self._methods.get(method)
        if found is None:
            return [-1, f"there is no method {method}", 0]
        try:
            inspect.signature(found).bind(*params)
        except TypeError:
            self.refused += 1
            return [-1, f"{method}: takes other arguments than these {len(params)}", 0]
        try:
            return list(found(*params))
        except (ValueError, BridgeError) as error:
            return [-1, str(error)[:200], 0]
        except Exception:  # arguments of types that no node sends
            self.refused += 1
            return [-1, f"{method}: an argument is of a type that it does not take", 0]

    def _multicall(self, params: object) -> list[object]:
        """Carry out a list of calls, each answered in a list of one (roslaunch sends these)."""
        calls = params[0] if isinstance(params, tuple | list) and len(params) == 1 else None
        if not isinstance(calls, list) or len(calls) > _MOST_CALLS:
            return [-1, f"system.multicall takes one list of up to {_MOST_CALLS} calls", 0]
        return [[self._one_call(call)] for call in calls]

    def _one_call(self, call: object) -> list[object]:
        match call:
            case {"methodName": str(method), "params": list(params)}:
                if method != "system.multicall":
                    return self._dispatch(method, params)
        return [-1, "a call has a methodName and a list of params", 0]

    def process_request(self, request: Message, client_address: object) -> None:
        """Take a connection; where too many are open, the oldest ends."""
        with self._lock:
            oldest = next(iter(self._open)) if len(self._open) >= _CROWD else None
            if oldest is not None:
                del self._open[oldest]
            self._open[request] = None
        if oldest is not None:
            self.refused += 1
            _end(oldest)
        super().process_request(request, client_address)

    def process_request_thread(self, request: Message, client_address: object) -> None:
        """Serve one connection."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.pop(request, None)

    def handle_error(self, _request: Message, _client_address: object) -> None:
        """Count a connection that broke off or spoke nonsense."""
        self.refused += 1


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _depth(data: bytes) -> int:
    """Return how deep values are nested in a request."""
    depth = deepest = 0
    for found in _VALUE.finditer(data):
        depth += -1 if found.group(1) else 1
        deepest = max(deepest, depth)
    return deepest


def _packed(answer: list[object]) -> bytes:
    return xmlrpc.client.dumps((answer,), methodresponse=True, allow_none=True).encode()


def _end(connection: socket.socket) -> None:
    """Wake the thread that reads from a connection: it then closes it."""
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it is gone already


class _Transport(xmlrpc.client.Transport):
    def __init__(self, timeout_s: float) -> None:
        super().__init__()
        self._timeout_s = timeout_s

    def make_connection(self, host: str | tuple[str, dict[str, str]]) -> HTTPConnection:
        connection = super().make_connection(host)
        connection.timeout = self._timeout_s
        return connection


def call(uri: str, method: str, *args: object, timeout_s: float = 2.0) -> Answer:
    """Call a method of a master or a node; raises BridgeError if nothing sensible answers."""
    if urlsplit(uri).scheme != "http":
        raise BridgeError(f"'{uri}' is not a ROS 1 node's address, http://host:port/")
    transport = _Transport(timeout_s)
    try:
        with xmlrpc.client.ServerProxy(uri, transport=transport, allow_none=True) as proxy:
            answer = getattr(proxy, method)(*args)
    except ConnectionRefusedError as error:
        raise PeerGoneError(f"{uri} does not answer {method}: {error}") from None
    except (OSError, HTTPException, xmlrpc.client.Error, ExpatError, ValueError) as error:
        raise BridgeError(f"{uri} does not answer {method}: {error}") from None
    if not isinstance(answer, list) or len(answer) != 3 or not isinstance(answer[0], int):
        raise BridgeError(f"{uri} answers {method} with {answer!r:.60}")
    return answer[0], str(answer[1]), answer[2]
