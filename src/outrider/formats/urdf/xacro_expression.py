"""The Python expressions allowed in a xacro file: arithmetic and strings, nothing else.

xacro evaluates what stands in ``${}`` and ``$(eval)`` and guards only against names with two
underscores in the outermost expression. A file from elsewhere must not become a program.
"""

import ast

from outrider.core.errors import FormatError

MAX_LENGTH = 10_000
_MOST_EXPONENT = 100
# what leads from a value to the interpreter's own insides
_INSIDES = ("_", "gi_", "f_", "cr_", "ag_", "tb_", "co_", "func_")


def check_expression(text: str) -> None:
    """Refuse an expression that is more than arithmetic, text and calls of known functions."""
    if len(text) > MAX_LENGTH:
        raise FormatError(f"an expression has more than {MAX_LENGTH} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise FormatError(f"'{text.strip()[:80]}' is not an expression") from None
    for node in ast.walk(tree):
        _check_node(node, text)


def _check_node(node: ast.AST, text: str) -> None:
    if isinstance(node, ast.Attribute) and node.attr.startswith(_INSIDES):
        raise FormatError(f"the expression '{text[:80]}' may not use '.{node.attr}'")
    if isinstance(node, ast.Name) and node.id.startswith("__"):
        raise FormatError(f"the expression '{text[:80]}' may not use '{node.id}'")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and _is_huge(node.right):
        raise FormatError(f"the power in '{text[:80]}' is too large")


def _is_huge(exponent: ast.expr) -> bool:
    if isinstance(exponent, ast.Constant) and isinstance(exponent.value, int | float):
        return abs(exponent.value) > _MOST_EXPONENT
    return any(isinstance(node, ast.Pow) for node in ast.walk(exponent))
