"""The folder of a sweep: what it was made from, so that only the same sweep is continued."""

from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.core.files.atomic_file import write_whole
from outrider.core.files.yaml_file import yaml_text
from outrider.core.structure import Data, plain
from outrider.evaluation.runs.facts import facts, versions
from outrider.sweeps.journal import RESULTS, Journal
from outrider.sweeps.load import LoadedSweep

PLAN = "sweep.yaml"


def claimed(folder: Path, found: LoadedSweep, kind: str) -> Journal:
    """Return the journal of a folder; one in which something else was run is refused."""
    _claim(folder, found, kind)
    return Journal(folder / RESULTS)


def _claim(folder: Path, found: LoadedSweep, kind: str) -> None:
    text = yaml_text(_plan(found, kind))
    path = folder / PLAN
    if not path.exists():
        write_whole(path, text.encode())
        return
    try:
        same = path.read_text("utf-8") == text
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from None
    if not same:
        raise ConfigError(
            f"{folder}: contains another sweep, or the same with other settings or versions;"
            " choose another --out"
        )


def _plan(found: LoadedSweep, kind: str) -> Data:
    return {
        "kind": kind,
        "versions": versions(facts()),
        "sweep": plain(found.sweep),
        "scenario": plain(found.scenario),
    }
