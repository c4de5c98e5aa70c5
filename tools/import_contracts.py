"""An import contract of our own: a shelf is entered through the modules it calls PUBLIC.

A shelf is a package inside a room whose ``__init__`` has a tuple ``PUBLIC`` of module names.
Modules outside the shelf may import those, and no others.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

_SOURCE = Path(__file__).resolve().parents[1] / "src"


class ShelfContract(Contract):
    """Lists every import that goes past a shelf's entrance."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002
        """Compare all imports with what the shelves call public."""
        shelves = dict(_shelves())
        past = [
            (importer, imported)
            for shelf, public in shelves.items()
            for imported in sorted(graph.find_descendants(shelf))
            if _entrance(shelf, imported) not in public
            for importer in sorted(graph.find_modules_that_directly_import(imported))
            if not f"{importer}.".startswith(f"{shelf}.")
        ]
        unused = [
            f"{shelf}: PUBLIC names '{name}', which is no module of it"
            for shelf, public in shelves.items()
            for name in public
            if f"{shelf}.{name}" not in graph.modules
        ]
        return ContractCheck(
            kept=not past and not unused, metadata={"past": past, "unused": unused}
        )

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Say which imports are wrong and what to do."""
        for importer, imported in check.metadata["past"]:
            output.print_error(f"{importer} imports {imported}, which its shelf keeps to itself")
        for sentence in check.metadata["unused"]:
            output.print_error(sentence)


def _entrance(shelf: str, module: str) -> str:
    return module[len(shelf) + 1 :]


def _shelves() -> Iterator[tuple[str, tuple[str, ...]]]:
    for path in sorted(_SOURCE.glob("outrider/**/__init__.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PUBLIC":
                name = ".".join(path.parent.relative_to(_SOURCE).parts)
                yield name, tuple(ast.literal_eval(node.value))
