"""Services that change the scenario: robots, objects, sensors, topics, worlds, saved states."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from outrider.core.structure import from_data
from outrider.messages.services.reading import Preparing, Rest
from outrider.messages.services.replies import RunStatus
from outrider.messages.services.requests import (
    FileName,
    NewActor,
    NewObject,
    NewPose,
)
from outrider.scenarios.scenario import RobotEntry, Scenario
from outrider.scenarios.session import changes
from outrider.scenarios.session.session import Session
from outrider.specs.references import map_files
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import ObjectSpec, PoseSpec


def preparing_session(
    session: Session, done: Callable[[], RunStatus], *, of_client: bool = False
) -> dict[str, Preparing]:
    """Return the services that change the scenario; each replies with the result of ``done``.

    What takes long is built before, beside the loop, and put in between two steps. What is
    ``of_client`` is bounded.
    """
    made: dict[str, Callable[[Any], changes.Change]] = {
        "move": _move,
        "remove": lambda asked: changes.Remove(asked.name),
        "add_object": _add_object,
        "add_actor": _add_actor,
        "add_robot": lambda asked: changes.AddRobot(from_data(RobotEntry, asked.keys, "add_robot")),
        "add_sensor": lambda asked: changes.AddSensor(
            from_data(SensorEntry, asked.keys, "add_sensor"), asked.robot
        ),
        "remove_sensor": lambda asked: changes.RemoveSensor(asked.name, asked.robot),
        "rename_topic": lambda asked: changes.RenameTopic(asked.robot, asked.key, asked.name),
        "load_world": lambda asked: changes.LoadWorld(asked.world),
    }

    def changing(change: Callable[[Any], changes.Change]) -> Preparing:
        return lambda request: session.prepared(change(request), of_client=of_client)

    work: dict[str, Preparing] = {
        **{name: changing(change) for name, change in made.items()},
        "undo": lambda _: session.prepared_undo(),
        "redo": lambda _: session.prepared_redo(),
        "load_state": lambda request: session.prepared_load(_file(request)),
    }
    answered = {name: _answered(prepare, done) for name, prepare in work.items()}
    return answered | {"save_state": lambda request: _saving(session, _file(request), done)}


def reset_with(session: Session, done: Callable[[], RunStatus]) -> Preparing:
    """Return the service that goes back to the start."""
    return _answered(lambda _: session.prepared_reset(), done)


def _saving(session: Session, file: Path, done: Callable[[], RunStatus]) -> Callable[[], Rest]:
    """Take the state between two steps, and write it while the loop goes on."""
    take = session.prepared_save(file)

    def taken() -> Rest:
        write, reply = take(), done()

        def rest() -> RunStatus:
            write()
            return reply

        return Rest(rest)

    return taken


def _answered(prepare: Preparing, done: Callable[[], RunStatus]) -> Preparing:
    def prepared(request: Any) -> Callable[[], RunStatus]:
        finish = prepare(request)

        def answer() -> RunStatus:
            finish()
            return done()

        return answer

    return prepared


def _move(request: NewPose) -> changes.Move:
    pose = PoseSpec(
        x=request.x,
        y=request.y,
        z=request.z,
        roll_deg=request.roll_deg,
        pitch_deg=request.pitch_deg,
        yaw_deg=request.yaw_deg,
    )
    return changes.Move(request.name, pose)


def _add_object(request: NewObject) -> changes.AddObject:
    """Add an object whose files are found from where the simulation was started."""
    whole = map_files({"objects": [request.keys]}, "world", lambda name: str(Path(name).resolve()))
    return changes.AddObject(from_data(ObjectSpec, whole["objects"][0], "add_object"))


def _add_actor(request: NewActor) -> changes.AddActor:
    keys = {"actors": [request.keys]}
    return changes.AddActor(from_data(Scenario, keys, "add_actor").actors[0])


def _file(request: FileName) -> Path:
    return Path(request.file)
