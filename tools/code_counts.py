"""Count what tells how readable the code is: ``python tools/code_counts.py [CHECKOUT] [--json]``.

Files of the largest folders, lines, sizes of functions, imports between modules, calls with many
positional arguments, marks that silence a tool, ``Any``, and class names of several files.
"""

import ast
import json
import re
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

MANY = 8  # positional arguments: nobody can tell them apart
MARKS = {
    "Any": r"\bAny\b",
    "fmt: skip": r"#.*\bfmt: (?:skip|off)",
    "noqa": r"#.*\bnoqa\b",
    "type: ignore": r"#.*\btype: ignore\b",
}


class Module(NamedTuple):
    """A file of the package: its dotted name, text and syntax tree."""

    name: str
    text: str
    tree: ast.Module


def modules(source: Path) -> list[Module]:
    """Return all modules below a folder of packages."""
    found = []
    for path in sorted(source.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        parts = path.relative_to(source).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, text, ast.parse(text)))
    return found


def folders(root: Path, most: int = 12) -> dict[str, int]:
    """Return the folders with the most Python files, and how many there are in each."""
    files = [p for top in ("src", "tests", "tools") for p in (root / top).rglob("*.py")]
    counts = Counter(str(path.parent.relative_to(root)) for path in files)
    return dict(counts.most_common(most))


def functions(code: list[Module]) -> dict[str, object]:
    """Return the lines of functions: median, nine of ten, and the longest with its name."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    sizes = [
        ((node.end_lineno or node.lineno) - node.lineno + 1, f"{module.name}.{node.name}")
        for module in code
        for node in ast.walk(module.tree)
        if isinstance(node, kinds)
    ]
    lines = sorted(size for size, _ in sizes)
    return {
        "count": len(lines),
        "median": statistics.median(lines),
        "p90": lines[int(0.9 * len(lines))],
        "longest": max(sizes),
    }


def imports(code: list[Module]) -> dict[str, object]:
    """Return how many modules import one, and how many one imports: means, and the highest."""
    names = {module.name for module in code}
    outward = {module.name: set(_imported(module.tree, names)) - {module.name} for module in code}
    inward = Counter(name for found in outward.values() for name in found)
    most = max(outward, key=lambda name: len(outward[name]))
    total = sum(len(found) for found in outward.values())
    return {
        "between modules": total,
        "per module": round(total / len(code), 2),
        "highest fan-in": inward.most_common(1)[0],
        "highest fan-out": (most, len(outward[most])),
    }


def _imported(tree: ast.Module, names: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module in names | {"outrider"}:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in names else str(node.module)


def crowded_calls(code: list[Module]) -> list[str]:
    """Return the calls with so many positional arguments that nobody can tell them apart."""
    return [
        f"{module.name}:{node.lineno}"
        for module in code
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and sum(not isinstance(argument, ast.Starred) for argument in node.args) >= MANY
    ]


def repeated_classes(code: list[Module]) -> dict[str, list[str]]:
    """Return the names of classes that several files define, with these."""
    homes: dict[str, list[str]] = defaultdict(list)
    for module in code:
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module.name)
    return {name: found for name, found in sorted(homes.items()) if len(found) > 1}


def counts(root: Path) -> dict[str, object]:
    """Return all counts of a checkout."""
    code = modules(root / "src")
    marks = {k: sum(len(re.findall(mark, m.text)) for m in code) for k, mark in MARKS.items()}
    return {
        "files": len(code),
        "lines": sum(module.text.count("\n") for module in code),
        "lines of tests": sum(
            p.read_text("utf-8").count("\n") for p in (root / "tests").rglob("*.py")
        ),
        "largest folders": folders(root),
        "functions": functions(code),
        "imports": imports(code),
        f"calls with {MANY} or more positional arguments": crowded_calls(code),
        **marks,
        "class names in several files": repeated_classes(code),
    }


def main() -> None:
    """Print them."""
    arguments = [word for word in sys.argv[1:] if word != "--json"]
    found = counts(Path(arguments[0]) if arguments else Path(__file__).resolve().parents[1])
    if "--json" in sys.argv:
        print(json.dumps(found, indent=1))
        return
    for name, value in found.items():
        print(f"{name}: {len(value) if isinstance(value, list) else value}")


if __name__ == "__main__":
    main()
