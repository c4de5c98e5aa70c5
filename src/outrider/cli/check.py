"""outrider check: show what a file is, what it contains, and whether it can be used."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outrider.cli.options.shared import Json
from outrider.cli.output.table import print_facts, print_json
from outrider.core.errors import ConfigError, near_match
from outrider.core.structure import Data
from outrider.specs.file_kinds import is_kind

if TYPE_CHECKING:
    from outrider.formats.import_file import Imported

Facts = Data


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file or a library name.")],
    as_json: Json = False,
) -> None:
    """Show what a file contains, or say in one sentence what is wrong with it (exit code 2)."""
    file = _found(file)
    facts = _facts(file)
    (print_json if as_json else print_facts)({"file": str(file), **facts})


def _found(file: Path) -> Path:
    """Return the file of a name of the library, or the file itself."""
    from outrider.loader.library import Kind, library_names, library_path

    if file.exists():
        return file
    kinds: tuple[Kind, ...] = ("robots", "scenarios", "worlds")  # worlds win
    known = {name: kind for kind in kinds for name in library_names(kind)}
    if str(file) in known:
        return library_path(known[str(file)], str(file))
    hint = near_match(str(file), known)
    raise ConfigError(f"{file}: there is no such file, and no such name in the library{hint}")


def _facts(file: Path) -> Facts:
    if is_kind(file, "own"):
        return _yaml_facts(file)
    if file.suffix == ".urdf":
        return _urdf_facts(file)
    return _imported_facts(file)


def _imported_facts(file: Path) -> Facts:
    from outrider.cli.output.surface_facts import surface_facts
    from outrider.formats.import_file import import_file, whole_world

    found = import_file(file)
    report = found.report
    facts = {"kind": report.kind, "name": report.name, **report.counts}
    facts |= _driving_facts(file, found)
    return {**facts, **surface_facts(whole_world(found)), "notes": [str(n) for n in report.notes]}


def _yaml_facts(file: Path) -> Facts:
    from outrider.core.yaml_file import read_yaml
    from outrider.scenarios.kinds import kind_of

    kind = kind_of(read_yaml(file), str(file))
    read = {
        "scenario": _scenario_facts,
        "world": _world_facts,
        "robot": _robot_facts,
        "model": _model_facts,
    }[kind]
    return {"kind": kind, **read(file)}


def _model_facts(file: Path) -> Facts:
    from outrider.cli.output.model_facts import model_facts
    from outrider.loader.model import load_model

    model = load_model(file)
    nested = [child.name for child in model.children]
    return {"name": model.name, **model_facts(model), "models": nested}


def _scenario_facts(file: Path) -> Facts:
    from outrider.scenarios.build import build
    from outrider.scenarios.load import load

    scenario = load(file)
    assembly = build(scenario).rig.assembly
    masses = {
        name: round(sum(b.inertial.mass for b in assembly.bodies if b.model == number), 6)
        for number, name in enumerate(assembly.models)
    }
    return {
        "name": scenario.name,
        "world": assembly.world.name,
        "engine": scenario.physics.engine,
        "step_s": scenario.physics.step_s,
        "duration_s": scenario.duration_s,
        "seed": scenario.seed,
        "robots": {r.name: f"{r.model}, {masses[r.name]:g} kg" for r in scenario.robots},
        "bodies": len(assembly.bodies),
        "joints": len(assembly.joints),
        "end_conditions": len(scenario.end),
        "expectations": len(scenario.expect),
    }


def _world_facts(file: Path) -> Facts:
    from outrider.cli.output.catalogue import object_count
    from outrider.cli.output.model_facts import model_facts
    from outrider.cli.output.surface_facts import surface_facts
    from outrider.loader.library import load_world_spec
    from outrider.loader.world import build_world

    spec = load_world_spec(str(file.resolve()))
    world = build_world(spec)
    facts = [(model, model_facts(model)) for model in world.models]
    return {
        "name": spec.name,
        "ground": spec.ground.type,
        "objects": object_count(spec),
        "movable": [f"{m.name}, {f['mass_kg']:g} kg" for m, f in facts if m.mobility == "dynamic"],
        "scripted": [m.name for m, _ in facts if m.mobility == "scripted"],
        "triangles": sum(f["triangles"] for _, f in facts),
        **surface_facts(world),
    }


def _robot_facts(file: Path) -> Facts:
    from outrider.cli.output.model_facts import model_facts
    from outrider.formats.urdf.read import read_urdf_with_notes
    from outrider.scenarios.robot_facts import robot_facts
    from outrider.vehicles.robot import load_robot

    robot = load_robot(str(file.resolve()))
    spec = robot.spec
    return {
        "name": spec.name,
        "drive": spec.drivetrain.type,
        "urdf": spec.urdf,
        **model_facts(robot.model),
        "wheels": {
            n: f"radius {w.radius:g} m, width {w.width:g} m" for n, w in robot.wheels.items()
        },
        "suspended": sorted(spec.suspension),
        **robot_facts(file),
        "notes": list(read_urdf_with_notes(file.parent / spec.urdf).notes),
    }


def _urdf_facts(file: Path) -> Facts:
    from outrider.cli.output.model_facts import model_facts
    from outrider.cli.output.surface_facts import surface_facts
    from outrider.formats.import_file import import_file
    from outrider.formats.urdf.read import read_urdf_with_notes
    from outrider.world.model import World

    reading = read_urdf_with_notes(file)
    # refuses masses and inertias that cannot be
    surfaces = surface_facts(World("check", (reading.model,)))
    facts = {"kind": "urdf", "name": reading.model.name, **model_facts(reading.model), **surfaces}
    found = import_file(file)
    facts |= _driving_facts(file, found)
    notes = (*reading.notes, *(str(note) for note in found.report.notes))
    return {**facts, "notes": list(dict.fromkeys(notes))}


def _driving_facts(file: Path, found: "Imported") -> Facts:
    """Return how a complete robot drives, with its limits, sensors and topics."""
    from outrider.scenarios.robot_facts import robot_facts

    draft = None if found.robot is None else found.robot.draft
    if draft is None or found.report.of("missing"):
        return {}
    return {"drive": draft["drivetrain"]["type"], **robot_facts(file)}
