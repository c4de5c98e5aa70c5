"""Our own import contract: a subpackage is imported through its PUBLIC modules only.

It applies to subpackages whose ``__init__`` has a tuple ``PUBLIC`` of module names. Modules outside
the subpackage may import only those.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, output

_SOURCE = Path(__file__).resolve().parents[1] / "src"


class SubpackageContract(Contract):
    """Lists every import of a subpackage's internal modules."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002
        """Compare all imports with the public modules of the subpackages."""
        subpackages = dict(_subpackages())
        past = [
            (importer, imported)
            for subpackage, public in subpackages.items()
            for imported in sorted(graph.find_descendants(subpackage))
            if _relative(subpackage, imported) not in public
            for importer in sorted(graph.find_modules_that_directly_import(imported))
            if not f"{importer}.".startswith(f"{subpackage}.")
        ]
        unused = [
            f"{subpackage}: PUBLIC names '{name}', which is not one of its modules"
            for subpackage, public in subpackages.items()
            for name in public
            if f"{subpackage}.{name}" not in graph.modules
        ]
        return ContractCheck(
            kept=not past and not unused, metadata={"past": past, "unused": unused}
        )

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print which imports are wrong."""
        for importer, imported in check.metadata["past"]:
            output.print_error(
                f"{importer} imports {imported}, which is internal to its subpackage"
            )
        for sentence in check.metadata["unused"]:
            output.print_error(sentence)


def _relative(subpackage: str, module: str) -> str:
    return module[len(subpackage) + 1 :]


def _subpackages() -> Iterator[tuple[str, tuple[str, ...]]]:
    for path in sorted(_SOURCE.glob("outrider/**/__init__.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PUBLIC":
                name = ".".join(path.parent.relative_to(_SOURCE).parts)
                yield name, tuple(ast.literal_eval(node.value))
