"""Bounds on what a xacro expression may do: sizes, steps and time are counted while it runs.

An expression of a few letters can ask for gigabytes (``'x' * 10**10``). Before one is evaluated its
operators, calls and loops are replaced by functions of a ``Budget``, which refuse in time.
"""

import ast
import re
import time
from collections.abc import Callable, Iterable, Iterator

from outrider.core.errors import FormatError

MAX_SIZE = 1_000_000  # letters of a text, entries of a list
MAX_MADE = 20_000_000  # letters and entries that one expansion makes, all together
MAX_STEPS = 1_000_000  # calls, operations and rounds of loops in one expansion
MAX_SECONDS = 30.0  # of one expansion
PEER_SECONDS = 3.0  # of processor time, for a text that a peer sent to a running simulation
_MAX_BITS = 100_000
_PREFIX = "_outrider_"
_OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Mult: "multiply",
    ast.Pow: "power",
    ast.LShift: "shift",
    ast.Mod: "remainder",
}
_SIZED = (str, bytes, list, tuple, set, frozenset, dict, range)
_COMBINATORIAL = {"factorial", "comb", "perm"}
_WIDE = re.compile(r"\d{5,}")  # a field so wide that it fills memory
_INSIDE = re.compile(r"\{[^{}]*[.\[]")  # a format that looks into objects


class Budget:
    """What one expansion may still use."""

    def __init__(self, of_peer: bool = False) -> None:
        self._steps = MAX_STEPS
        self._left = MAX_MADE
        self._end = time.monotonic() + MAX_SECONDS
        self._busy_end = time.thread_time() + (PEER_SECONDS if of_peer else MAX_SECONDS)

    def step(self) -> None:
        """Count one call or one round of a loop."""
        self._steps -= 1
        if self._steps < 0:
            raise FormatError(f"its expressions take more than {MAX_STEPS} steps")
        if time.monotonic() > self._end or time.thread_time() > self._busy_end:
            raise FormatError("it takes too long to expand")

    def functions(self) -> dict[str, Callable[..., object]]:
        """Return what rewritten expressions call, by name."""
        guards: dict[str, Callable[..., object]] = {
            "add": self._add,
            "multiply": self._multiply,
            "power": _power,
            "shift": _shift,
            "remainder": self._remainder,
            "each": self._each,
            "call": self._call,
        }
        return {_PREFIX + name: function for name, function in guards.items()}

    def _make(self, size: int) -> None:
        """Count what an operation makes, before it does."""
        self.step()
        _check_size(size)
        self._left -= size
        if self._left < 0:
            raise FormatError(f"its expressions make more than {MAX_MADE} letters or entries")

    def _add(self, a: object, b: object) -> object:
        if isinstance(a, _SIZED) and isinstance(b, _SIZED):
            self._make(_weight(a) + _weight(b))
        return a + b  # type: ignore[operator]

    def _multiply(self, a: object, b: object) -> object:
        for sized, times in ((a, b), (b, a)):
            if isinstance(sized, _SIZED) and isinstance(times, int):
                self._make(_weight(sized) * max(times, 0))
        if isinstance(a, int) and isinstance(b, int):
            _check_bits(a.bit_length() + b.bit_length())
        return a * b  # type: ignore[operator]

    def _remainder(self, a: object, b: object) -> object:
        if isinstance(a, str):
            _check_template(a)
            values = b if isinstance(b, tuple) else (b,)
            if "*" in a or any(isinstance(value, int) and value > MAX_SIZE for value in values):
                raise FormatError("a width in a format string is too large")
        return a % b  # type: ignore[operator]

    def _each(self, values: Iterable[object]) -> Iterator[object]:
        for value in values:
            self.step()
            yield value

    def _call(self, function: Callable[..., object], *args: object, **named: object) -> object:
        self.step()
        _check_arguments(function, args)
        result = function(*args, **named)
        if isinstance(result, _SIZED):
            self._make(_weight(result))
        return result


def guarded(text: str) -> str:
    """Return an expression in which everything that can grow or loop asks the budget first."""
    tree = ast.parse(text.strip(), mode="eval")
    return ast.unparse(ast.fix_missing_locations(_Rewriter().visit(tree)))


class _Rewriter(ast.NodeTransformer):
    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id.startswith(_PREFIX):
            raise FormatError(f"an expression may not use '{node.id[:60]}'")
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.op))
        return node if name is None else _to(name, node.left, node.right)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = _to("each", node.iter)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(
            ast.Name(f"{_PREFIX}call", ast.Load()), [node.func, *node.args], node.keywords
        )

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        self.generic_visit(node)
        if node.format_spec is not None and _WIDE.search(ast.unparse(node.format_spec)):
            raise FormatError("a width in a format string is too large")
        return node


def _to(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(_PREFIX + name, ast.Load()), list(args), [])


def _check_arguments(function: Callable[..., object], args: tuple[object, ...]) -> None:
    name = getattr(function, "__name__", "")
    owner = getattr(function, "__self__", None)
    numbers = [arg for arg in args if isinstance(arg, int)]
    if name == "round" and any(
        abs(places) > 1000 for places in args[1:] if isinstance(places, int)
    ):
        raise FormatError("round() takes no more than 1000 places")
    if name in _COMBINATORIAL and any(number > 1000 for number in numbers):
        raise FormatError(f"the argument of {name}() is too large")
    if not isinstance(owner, str):
        return
    if any(number > MAX_SIZE for number in numbers):
        raise FormatError(f"the argument of {name}() is too large")
    if name in ("format", "format_map"):
        _check_template(owner)
    sizes = [len(arg) for arg in args if isinstance(arg, _SIZED)]
    if name == "replace" and len(sizes) == 2:
        _check_size(len(owner) + (len(owner) + 1) * sizes[1])
    if name == "join" and sizes:
        _check_size(len(owner) * sizes[0])


def _check_template(text: str) -> None:
    if _WIDE.search(text):
        raise FormatError("a width in a format string is too large")
    if _INSIDE.search(text):
        raise FormatError("a format string may not access attributes")


def _power(base: object, exponent: object) -> object:
    if isinstance(base, int) and isinstance(exponent, int):
        _check_bits(base.bit_length() * max(exponent, 0))
    return base**exponent  # type: ignore[operator]


def _shift(value: object, by: object) -> object:
    if isinstance(value, int) and isinstance(by, int):
        _check_bits(value.bit_length() + max(by, 0))
    return value << by  # type: ignore[operator]


def _weight(value: object) -> int:
    """Return how many letters and entries a value has, those inside its entries included."""
    if isinstance(value, str | bytes | range):
        return len(value)
    if not isinstance(value, _SIZED):
        return 0
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    total = len(value)
    for part in parts:
        total += _weight(part)
        if total > MAX_SIZE:
            break
    return total


def _check_size(size: int) -> None:
    if size > MAX_SIZE:
        raise FormatError(f"an expression makes more than {MAX_SIZE} letters or entries")


def _check_bits(bits: int) -> None:
    if bits > _MAX_BITS:
        raise FormatError("a number in an expression is too large")
