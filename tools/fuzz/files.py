"""Damaged files, opened as the program opens them: read, or refused in one sentence."""

import faulthandler
import json
import os
import pickle
import shutil
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tools.fuzz import limits
from tools.fuzz.limits import Outcome, limit_memory
from tools.fuzz.mutate import damaged, generator
from tools.fuzz.samples import Sample, samples

from outrider.core.errors import OutriderError

if TYPE_CHECKING:
    from outrider.scenarios.scenario import Scenario

_SHOWN = 48
_EVERY = 4  # of the files of others one in so many is built into a place, all are imported


class FileCases:
    """Makes and opens the cases of one seed."""

    def __init__(self, known: dict[str, Sample], folder: Path, seed: int, only: str = "") -> None:
        found = {name: sample for name, sample in known.items() if only in name}
        self._table = [name for name, sample in found.items() for _ in range(sample.weight)]
        self._samples = found
        self._folder, self._seed = folder, seed

    def kind(self, number: int) -> str:
        """Return the name of a case's sample."""
        return self._table[number % len(self._table)]

    def _way(self, number: int, sample: Sample) -> str:
        """Return how a case is opened: what builds a place takes longest, and comes less often."""
        often = number // len(self._table) % _EVERY
        return "import" if often and sample.imported else sample.way

    def files(self, number: int) -> tuple[Sample, dict[str, bytes], str]:
        """Return a case's files, and which of them is damaged."""
        sample, rng = self._samples[self.kind(number)], generator(self._seed, number)
        victim = rng.choice(sample.victims)
        return sample, {**sample.files, victim: damaged(sample.files[victim], rng, victim)}, victim

    def outcome(self, number: int, sample: Sample, files: dict[str, bytes]) -> Outcome:
        """Open a case's files."""
        place = self._folder / str(number)
        began = time.monotonic()
        try:
            path = _written(place, sample, files)
            way = self._way(number, sample)
            refused, fault = _tried(lambda: WAYS[way](path))
        finally:
            shutil.rmtree(place, ignore_errors=True)
        return Outcome(number, self.kind(number), refused, fault, seconds=time.monotonic() - began)


def _written(place: Path, sample: Sample, files: dict[str, bytes]) -> Path:
    place.mkdir()
    if sample.way == "zipped":
        with zipfile.ZipFile(place / sample.main, "w") as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        return place / sample.main
    for name, data in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)
    return place / sample.main


def _tried(work: Callable[[], object]) -> tuple[bool, str]:
    """Return whether it was refused, and what else went wrong."""
    try:
        work()
    except OutriderError as error:
        text = str(error)
        if "\n" in text or not text.strip():
            return True, f"not one sentence: {text[:80]!r}"
        return True, ""
    except Exception as error:
        return False, fault_of(error)
    return False, ""


def fault_of(error: BaseException) -> str:
    """Return an error with the last line of ours on its way."""
    ours = [f for f in traceback.extract_tb(error.__traceback__) if "outrider/" in f.filename]
    last = ours[-1] if ours else traceback.extract_tb(error.__traceback__)[-1]
    place = f"{last.filename.rpartition('outrider/')[2]}:{last.lineno}"
    return f"{type(error).__name__} at {place}: {str(error)[:120]}"


def _run(path: Path) -> None:
    """Do what 'outrider run FILE' does, for two steps."""
    from outrider.scenarios.build import build
    from outrider.scenarios.opening import find_scenario

    simulation = build(find_scenario(str(path)))
    simulation.step()
    simulation.step()


def _placed(path: Path) -> None:
    """Build a place without the robot that 'outrider run FILE' puts into it."""
    from outrider.scenarios.opening import find_scenario

    _build(find_scenario(str(path)))


def _build(scenario: "Scenario") -> None:
    from outrider.scenarios.build import build

    simulation = build(replace(scenario, robots=()))
    simulation.step()


def _imported(path: Path) -> None:
    from outrider.cli.output.surface_facts import surface_facts
    from outrider.formats.import_file import as_world, import_file

    surface_facts(as_world(import_file(path)))


def _heights(path: Path) -> None:
    from outrider.scenarios.opening import Foreign, find_scenario

    _build(find_scenario(str(path), None, (), Foreign(size=(20.0, 20.0, 2.0))))


def _elevation(path: Path) -> None:
    from outrider.formats.elevation.heightmap import read_heightmap

    read_heightmap(path, None)


def _picture(path: Path) -> None:
    from outrider.formats.picture import png_bytes
    from outrider.formats.textures import load_texture, texture_info

    png_bytes(str(path))
    texture_info(path)
    load_texture(path)


def _model(path: Path) -> None:
    from outrider.cli.output.model_facts import model_facts
    from outrider.loader.model import load_model

    model_facts(load_model(path))


def _stack(path: Path) -> None:
    from outrider.autonomy.assemble import assemble_stack
    from outrider.autonomy.spec import AutonomySpec
    from outrider.core.files.yaml_file import read_yaml
    from outrider.core.structure import from_data

    assemble_stack(from_data(AutonomySpec, read_yaml(path), str(path)))


def _sweep(path: Path) -> None:
    from outrider.sweeps.load import load_search, load_sweep
    from outrider.sweeps.points import points

    load_search(path)
    points(load_sweep(path).sweep)


def _results(path: Path) -> None:
    from outrider.sweeps.journal import Journal

    with Journal(path):
        pass


def _points(path: Path) -> None:
    from outrider.autonomy.waypoints.files import read_waypoints

    read_waypoints(path)


def _replayed(path: Path) -> None:
    from outrider.recording.replay import Replay, ReplayOptions

    with Replay(path, ReplayOptions(speed=0.0)) as replay:
        replay.run()


def _kitti(path: Path) -> None:
    from outrider.autonomy.recordings.kitti import Kitti

    found = Kitti(path)
    for _ in found.messages(found.topics):
        pass


def _state(path: Path) -> None:
    from outrider.scenarios.session.session import Session

    Session.of_file(path).simulation.step()


def _checked(path: Path) -> None:
    """Do what 'outrider check FILE' does."""
    from outrider.cli.check import facts_of

    facts_of(path)


def _saved(path: Path) -> None:
    from outrider.loader.project.archive import open_project, save_project

    save_project(path.parent, path.with_suffix(".zip"))
    open_project(path.with_suffix(".zip"), path.parent / "opened")


WAYS: dict[str, Callable[[Path], None]] = {
    "run": _run,
    "zipped": _run,
    "check": _checked,
    "save": _saved,
    "place": _placed,
    "import": _imported,
    "heights": _heights,
    "elevation": _elevation,
    "picture": _picture,
    "model": _model,
    "stack": _stack,
    "sweep": _sweep,
    "results": _results,
    "points": _points,
    "replay": _replayed,
    "kitti": _kitti,
    "state": _state,
}


def outcomes(first: int, count: int, seed: int, only: str = "") -> Iterator[Outcome]:
    """Open the cases of a range in workers with limits."""
    with tempfile.TemporaryDirectory(prefix="outrider-fuzz-") as made:
        kept = Path(made) / "samples"
        kept.write_bytes(pickle.dumps(samples()))
        command = ["tools.fuzz.files", str(kept), str(seed), only]
        yield from limits.outcomes(command, first, count)


def work(known: dict[str, Sample], first: int, last: int, seed: int, only: str) -> None:
    """Be a worker: say on standard output what becomes of each case."""
    faulthandler.enable()
    warnings.simplefilter("error", ResourceWarning)
    with tempfile.TemporaryDirectory(prefix="outrider-fuzz-") as made:
        os.environ["OUTRIDER_CACHE"] = f"{made}/cache"
        folder = Path(made) / "here"
        folder.mkdir()
        talk = os.dup(1)
        os.dup2(2, 1)  # nothing that a library prints comes between our lines
        os.chdir(folder)
        cases = FileCases(known, folder, seed, only)
        limit_memory()
        with os.fdopen(talk, "w", encoding="utf-8", buffering=1) as out:
            for number in range(first, last):
                sample, files, victim = cases.files(number)
                start = repr(files[victim][:_SHOWN])
                begun = {"begun": number, "kind": cases.kind(number), "bytes": start}
                out.write(json.dumps(begun) + "\n")
                found = cases.outcome(number, sample, files)
                said = {name: getattr(found, name) for name in found.__slots__}
                out.write(json.dumps({**said, "first_bytes": start}) + "\n")
                left = [path.name for path in folder.iterdir()]
                if left:
                    raise RuntimeError(f"{left} was left in the user's folder")


if __name__ == "__main__":
    _, _kept, _seed, _only, _first, _last = sys.argv
    work(pickle.loads(Path(_kept).read_bytes()), int(_first), int(_last), int(_seed), _only)
