"""outrider check: show what a file is, what it contains, and whether it can be used."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outrider.cli.options.shared import Json, Trust
from outrider.cli.output.table import print_facts, print_json
from outrider.core.errors import ConfigError, near_match
from outrider.core.structure import Data
from outrider.specs.file_kinds import is_kind

if TYPE_CHECKING:
    from outrider.formats.import_file import Imported
    from outrider.scenarios.scenario import Scenario

Facts = Data


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file, project or library name.")],
    as_json: Json = False,
    trust: Trust = False,
) -> None:
    """Show what a file contains, or say in one sentence what is wrong with it (exit code 2)."""
    file = _found(file)
    if trust:
        _trust(file)
    facts = facts_of(file)
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


def _trust(file: Path) -> None:
    """Let the components of a scenario or project run."""
    from outrider.core.files.yaml_file import read_yaml
    from outrider.scenarios.code_trust import trust_scenario
    from outrider.scenarios.kinds import kind_of
    from outrider.scenarios.opening import find_scenario

    kind = kind_of(read_yaml(file), str(file)) if is_kind(file, "own") else "scenario"
    if kind in ("model", "sensor"):
        return  # which name no code
    if kind == "sweep":
        from outrider.sweeps.load import load_search

        trust_scenario(load_search(file).scenario)
        return
    trust_scenario(find_scenario(str(file)))


def facts_of(file: Path) -> Facts:
    """Return what a file of any kind contains."""
    if file.is_dir() or is_kind(file, "project"):
        return _project_facts(file)
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


def _project_facts(file: Path) -> Facts:
    """Return what a project holds; a stranger's can be looked at before it runs."""
    from outrider.loader.project.archive import opened
    from outrider.loader.project.folder import load_project

    project = load_project(file) if file.is_dir() else opened(file)
    found = (path for path in project.root.rglob("*") if path.is_file())
    files = sorted(path.relative_to(project.root) for path in found)
    return {
        "kind": "project",
        "project": project.spec.name,
        "description": project.spec.description,
        "files": len(files),
        "python": [path.as_posix() for path in files if path.suffix == ".py"],
        "scenario": project.spec.scenario,
        **_scenario_facts(project.scenario),
    }


def _yaml_facts(file: Path) -> Facts:
    from outrider.core.files.yaml_file import read_yaml
    from outrider.scenarios.kinds import kind_of

    kind = kind_of(read_yaml(file), str(file))
    if kind == "project":
        return _project_facts(file.parent)
    read = {
        "scenario": _scenario_facts,
        "world": _world_facts,
        "robot": _robot_facts,
        "model": _model_facts,
        "sensor": _sensor_facts,
        "sweep": _sweep_facts,
    }[kind]
    return {"kind": kind, **read(file)}


def _model_facts(file: Path) -> Facts:
    from outrider.cli.output.model_facts import model_facts
    from outrider.loader.model import load_model

    model = load_model(file)
    nested = [child.name for child in model.children]
    return {"name": model.name, **model_facts(model), "models": nested}


def _sensor_facts(file: Path) -> Facts:
    from outrider.core.files.yaml_file import read_yaml
    from outrider.sensors.catalogue import plan_sensor
    from outrider.specs.sensor import SensorEntry

    plan = plan_sensor(SensorEntry(file.stem, str(file.resolve())), str(file))
    return {
        "type": plan.sensor_type,
        "description": read_yaml(file).get("description", ""),
        "rate_hz": plan.rate_hz,
        "latency_s": plan.latency_s,
        "topics": {plan.topics[out]: kind for out, kind in plan.kind.types.items()},
    }


def _sweep_facts(file: Path) -> Facts:
    from outrider.sweeps.load import check_builds, load_search, load_sweep
    from outrider.sweeps.points import count_points

    found = load_search(file)
    only_ranges = bool(found.sweep.distributions) and found.sweep.samples is None
    if not only_ranges:
        found = load_sweep(file)
    check_builds(found)
    runs = 0 if only_ranges else count_points(found.sweep) * found.sweep.repeats
    return {
        "name": found.name,
        "description": found.sweep.description,
        "scenario": found.source,
        "parameters": list(found.sweep.parameters),
        "runs": "as many as 'outrider falsify' needs" if only_ranges else runs,
    }


def _refuse_what_a_run_refuses(scenario: "Scenario") -> None:
    """Look at what is only opened when a run starts."""
    from outrider.scenarios.bridging import chosen_bridges
    from outrider.scenarios.movers.driven_robot import driven

    chosen_bridges(scenario)
    if scenario.autonomy is not None:
        driven(scenario)
        if scenario.autonomy.waypoints is not None:
            scenario.autonomy.waypoints.load()


def _scenario_facts(file: Path | str) -> Facts:
    from outrider.components.code_file import may_run
    from outrider.scenarios.code_trust import component_files
    from outrider.scenarios.load import load

    scenario = load(file)
    _refuse_what_a_run_refuses(scenario)
    code = component_files(scenario)
    runs = all(may_run(path) for path in code)
    return {
        "name": scenario.name,
        "engine": scenario.physics.engine,
        "step_s": scenario.physics.step_s,
        "duration_s": scenario.duration_s,
        "seed": scenario.seed,
        "end_conditions": len(scenario.end),
        "expectations": len(scenario.expect),
        "bridges": list(scenario.bridges),
        "components": [str(path) for path in code],
        **(_built_facts(scenario) if runs else {"built": "no: its components need --trust"}),
    }


def _built_facts(scenario: "Scenario") -> Facts:
    from outrider.scenarios.build import build

    assembly = build(scenario).rig.assembly
    masses = {
        name: round(sum(b.inertial.mass for b in assembly.bodies if b.model == number), 6)
        for number, name in enumerate(assembly.models)
    }
    return {
        "world": assembly.world.name,
        "robots": {r.name: f"{r.model}, {masses[r.name]:g} kg" for r in scenario.robots},
        "bodies": len(assembly.bodies),
        "joints": len(assembly.joints),
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

    reading = read_urdf_with_notes(file, repair=True)  # as a run reads it
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
