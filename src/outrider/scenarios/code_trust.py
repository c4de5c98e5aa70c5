"""Saying yes to the code that a scenario brings: the files of its components, and no others."""

from collections.abc import Iterator
from pathlib import Path

from outrider.core.files.package_files import real_path
from outrider.core.files.yaml_file import read_yaml
from outrider.core.structure import plain
from outrider.core.trust import trust
from outrider.loader.library import find_file, load_world_spec
from outrider.scenarios.scenario import Scenario
from outrider.specs.component import named_files
from outrider.specs.references import is_foreign


def trust_scenario(scenario: Scenario) -> None:
    """Let the components of a scenario, its world and its robots run."""
    trust(component_files(scenario))


def component_files(scenario: Scenario) -> list[Path]:
    """Return the Python files that a scenario, its world and its robots name."""
    return list(dict.fromkeys(real_path(path) for path in _named(scenario)))


def _named(scenario: Scenario) -> Iterator[Path]:
    yield from map(Path, named_files(plain(scenario)))
    if isinstance(scenario.world, str):
        yield from map(Path, named_files(plain(load_world_spec(scenario.world))))
    for entry in scenario.robots:
        path = find_file("robots", entry.model)
        if not is_foreign(path.name):
            yield from (path.parent / name for name in named_files(read_yaml(path)))
