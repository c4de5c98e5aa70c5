"""The services and topics of gazebo_ros, for scripts written for it."""

import threading
from collections.abc import Callable

from outrider.bridges.bridge import Outside
from outrider.bridges.gazebo_services import Fields, GazeboServices, asked, pose, twist
from outrider.bridges.peer_errors import PeerErrors
from outrider.bridges.ros1.node import Ros1Node
from outrider.bridges.ros1.publication import Publication
from outrider.bridges.ros1.sender import Ros1Sender
from outrider.bus.mailbox import Subscription
from outrider.bus.thinning import Thinning
from outrider.core.errors import OutriderError
from outrider.core.process.service_thread import ServiceThread
from outrider.messages.ros1.types import new, ros1_type, serialize
from outrider.messages.types import Message

_LOOK_S = 0.25  # between looks at who listens
_METRICS = "/performance_metrics"
_MOST_WANTED = 1000  # states that wait to be set
_LONGEST = 1000  # letters of a name


class Gazebo:
    """Everything under /gazebo: the services, and the state topics in both directions."""

    def __init__(
        self,
        node: Ros1Node,
        outside: Outside,
        flow: Ros1Sender,
        states_hz: float,
        peer_errors: PeerErrors,
    ) -> None:
        """All states are published at ``states_hz`` in simulated time; 0 is every step."""
        self._outside, self._peer_errors = outside, peer_errors
        self._services = GazeboServices(outside)
        for name, kind, handler in self._services.rows():
            node.serve(name, kind, handler)
        self._models = node.advertise("/gazebo/model_states", "gazebo_msgs/ModelStates")
        self._links = node.advertise("/gazebo/link_states", "gazebo_msgs/LinkStates")
        metrics = "gazebo_msgs/PerformanceMetrics"
        said = node.advertise("/gazebo/performance_metrics", metrics)
        flow.add(_METRICS, "outrider_msgs/msg/PerformanceMetrics", said)
        node.subscribe("/gazebo/set_model_state", "gazebo_msgs/ModelState", self._told)
        node.subscribe("/gazebo/set_link_state", "gazebo_msgs/LinkState", self._told)
        self._wanted: dict[str, Fields] = {}  # the newest state asked for, by name
        self._thinning = Thinning(states_hz)
        self._clock: Subscription | None = None  # only while somebody listens to states
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closed = threading.Event()
        self._thread = ServiceThread(self._run, "outrider-gazebo")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """End."""
        self._closed.set()
        self._wake.set()
        self._thread.wait_for_end()
        if self._clock is not None:
            self._clock.close()

    def _told(self, state: Message) -> None:
        """Note the newest state that a topic asks for; a thread of our own carries it out."""
        name = getattr(state, "model_name", "") or getattr(state, "link_name", "")
        with self._lock:
            room = name in self._wanted or len(self._wanted) < _MOST_WANTED
            if room and len(name) <= _LONGEST:
                self._wanted[name] = asked(state)
                self._wake.set()
                return
        self._peer_errors.note(
            "too many states", "more states are to be set than can be, or with too long a name"
        )

    def _run(self) -> None:
        while not self._closed.is_set():
            self._wake.wait(_LOOK_S)
            self._wake.clear()
            with self._lock:
                wanted, self._wanted = self._wanted, {}
            for name, wish in wanted.items():
                answer = self._services.attempt("set_state", name=name, **wish)
                if not answer["success"]:
                    self._peer_errors.note("refused state", answer["status_message"])
            self._look()
            item = self._clock.poll() if self._clock else None
            if item and self._thinning.due(item[0]) and not self._closed.is_set():
                self._say_states()

    def _look(self) -> None:
        """Follow the simulated time while there are subscribers."""
        listened = bool(self._models.connections or self._links.connections)
        if listened and self._clock is None:
            bus, wake = self._outside.bus, self._wake
            self._clock = bus.subscribe("/clock", kept="latest", depth=1, wake=wake)
        elif not listened and self._clock is not None:
            self._clock.close()
            self._clock = None

    def _say_states(self) -> None:
        try:
            states = self._services.ask("get_states")
        except OutriderError:
            return
        _say(self._models, states["models"], lambda name: name)
        _say(self._links, states["links"], lambda name: name.replace("/", "::"))


def _say(publication: Publication, states: dict[str, Fields], called: Callable[[str], str]) -> None:
    if publication.connections:
        kind = ros1_type(publication.kind.name).full
        message = new(
            kind,
            name=[called(name) for name in states],
            pose=[pose(state) for state in states.values()],
            twist=[twist(state) for state in states.values()],
        )
        publication.send(serialize(message, kind))
