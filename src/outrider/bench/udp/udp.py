"""The UDP Bridge as in figure 9 of Sobczak et al.: beside rosbridge's JSON and a bare copy."""

from collections.abc import Iterator
from contextlib import ExitStack

from outrider.bench.measurement import Measurement, middle
from outrider.bench.udp.routes import Route, bare_route, bridged_route

_TOTALS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000)
_SMALL, _LARGE = 1_000, 10_000_000  # bytes of a message
_MOST_REPEATS = 31
_OWN, _JSON, _BARE = "UDP Bridge", "rosbridge JSON", "bare UDP copy"


class Udp:
    """How long transfers take, how long one message is on its way, and what it costs."""

    def __call__(self) -> Iterator[Measurement]:
        """Run all routes side by side, each figure in one go."""
        with ExitStack() as opened:
            routes = {
                _OWN: opened.enter_context(bridged_route("udp", "udp:port=0")),
                _JSON: opened.enter_context(bridged_route("json", "rosbridge:port=0")),
                _BARE: opened.enter_context(bare_route()),
            }
            for route in routes.values():
                route.transfer(_SMALL, 50)
                route.transfer(_LARGE, 2)
            for total in _TOTALS:
                yield from _transfers(routes, total, min(_SMALL, total))
                if total > _SMALL:
                    yield from _transfers(routes, total, min(_LARGE, total))
            yield from _latency(routes)
            yield from _cost(routes)


def _transfers(routes: dict[str, Route], total: int, size: int) -> Iterator[Measurement]:
    count = total // size
    repeats = max(min(_MOST_REPEATS, 60_000_000 // total), 3)
    times: dict[str, list[float]] = {name: [] for name in routes}
    for _ in range(repeats):  # turn by turn: what else the machine does meets all alike
        for name, route in routes.items():
            times[name].append(route.transfer(size, count))
    found = {name: middle(values) for name, values in times.items()}
    what = f"{_bytes(total)} in messages of {_bytes(size)}"
    (own, spread), (text, _), (bare, _) = found.values()
    yield Measurement(
        f"udp: {what}",
        own * 1e3,
        "ms",
        "lower",
        spread=spread * 1e3,
        peers={_JSON: text * 1e3, _BARE: bare * 1e3},
    )
    limit = 9.5 if total >= _LARGE and size == _LARGE else 2.0
    yield Measurement(
        f"udp: {what}, times faster than JSON", text / own, "x", "higher", limit=limit
    )
    if size == _LARGE:
        yield Measurement(
            f"udp: {what}, share of a bare copy's speed", bare / own, "", "higher", limit=0.5
        )


def _latency(routes: dict[str, Route]) -> Iterator[Measurement]:
    found = {name: middle(route.latencies_s(_SMALL, 300)) for name, route in routes.items()}
    own, spread = found[_OWN]
    peers = {name: value * 1e6 for name, (value, _) in found.items() if name != _OWN}
    yield Measurement(
        "udp: from publisher to receiver, 1 kB",
        own * 1e6,
        "us",
        "lower",
        spread=spread * 1e6,
        peers=peers,
    )


def _cost(routes: dict[str, Route]) -> Iterator[Measurement]:
    for size, count, what in ((_LARGE, 10, "10 MB"), (_SMALL, 3000, "1 kB")):
        used = {}
        for name, route in routes.items():
            before_s = route.cpu_s()
            route.transfer(size, count)
            used[name] = (route.cpu_s() - before_s) / count * 1e3
        own = used.pop(_OWN)
        yield Measurement(
            f"udp: processor time of both ends for a message of {what}",
            own,
            "ms",
            "lower",
            peers=used,
        )


def _bytes(size: int) -> str:
    if size >= 1_000_000:
        return f"{size // 1_000_000} MB"
    return f"{size // 1000} kB"
