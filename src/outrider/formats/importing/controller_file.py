"""Controller files beside a robot's description: what ros_control's diff_drive_controller is told.

A package ``NAME_description`` usually has its ``NAME_control`` beside it, with the wheels, the
factor of the effective track and the limits that the real robot drives with.
"""

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path

from outrider.core.errors import ConfigError
from outrider.core.files.package_files import enclosure
from outrider.core.files.yaml_file import read_yaml
from outrider.formats.gazebo.plugins import DriveFigures
from outrider.formats.notes import Notes

_MOST_FILES = 32
_MOST_BYTES = 1 << 18
_AXIS = {"linear": "x", "angular": "z"}


def with_controller(
    drive: DriveFigures | None,
    file: Path,
    joints: Collection[str],
    notes: Notes,
    named: Sequence[Path] = (),
) -> DriveFigures | None:
    """Return a drive with what the first controller file for these joints says laid over it.

    ``named`` are files that the description itself names; they come before those beside it.
    """
    for path in islice((*named, *_candidates(file)), _MOST_FILES):
        told = _read(path, joints, notes)
        if told is not None:
            notes.add("applied", f"the wheels and limits of its controller: {path}")
            if not told.publish_tf:
                notes.add(
                    "applied", f"the controller leaves the frame of odometry to others: {path}"
                )
            return _merged(drive or DriveFigures(), told)
    return drive


def _candidates(file: Path) -> Iterator[Path]:
    """Name the files where packages keep their controllers; nothing else is looked at."""
    end = enclosure(file.parent.resolve())  # a stranger's file sees its own folder only
    around = [p for p in file.parents if end is None or p.resolve().is_relative_to(end)]
    package = next((p for p in around if (p / "package.xml").is_file()), None)
    for folder in dict.fromkeys((file.parent, (package or file.parent) / "config")):
        yield from sorted(folder.glob("*control*.y*ml"))
    if package is not None and (end is None or package.parent in around):
        yield from sorted(package.parent.glob("*_control/config/*.y*ml"))


def _read(path: Path, joints: Collection[str], notes: Notes) -> DriveFigures | None:
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        data = read_yaml(path)
    except (ConfigError, OSError) as error:
        notes.add("ignored", f"a controller file cannot be read: {error}")
        return None
    for parameters in _mappings(data):
        left, right = (_wheels(parameters, side) for side in ("left", "right"))
        if left and right and {*left, *right} <= set(joints):
            return _drive(parameters, left, right)
    return None


def _mappings(data: Mapping[str, object], depth: int = 3) -> Iterator[Mapping[str, object]]:
    """Yield a file's parameters: ROS 2 has them below node and ``ros__parameters``."""
    yield data
    for value in data.values():
        if depth and isinstance(value, Mapping):
            yield from _mappings(value, depth - 1)


def _wheels(parameters: Mapping[str, object], side: str) -> tuple[str, ...]:
    told = parameters.get(f"{side}_wheel_names", parameters.get(f"{side}_wheel", ()))
    names = [told] if isinstance(told, str) else told
    return tuple(str(name) for name in names) if isinstance(names, list | tuple) else ()


def _drive(
    parameters: Mapping[str, object], left: tuple[str, ...], right: tuple[str, ...]
) -> DriveFigures:
    separation = _number(parameters, "wheel_separation")
    radius = _number(parameters, "wheel_radius")
    base, odometry = (parameters.get(f"{name}_frame_id", "") for name in ("base", "odom"))
    return DriveFigures(
        left=left,
        right=right,
        separation=separation,
        track_multiplier=_number(parameters, "wheel_separation_multiplier"),
        radius=radius * (_number(parameters, "wheel_radius_multiplier") or 1.0),
        command_timeout=_number(parameters, "cmd_vel_timeout"),
        base_frame=base if isinstance(base, str) else "",
        odometry_frame=odometry if isinstance(odometry, str) else "",
        odometry_hz=_number(parameters, "publish_rate"),
        publish_tf=parameters.get("enable_odom_tf") is not False,
        speed=_limit(parameters, "linear", "velocity"),
        acceleration=_limit(parameters, "linear", "acceleration"),
        yaw_rate=_limit(parameters, "angular", "velocity"),
        yaw_acceleration=_limit(parameters, "angular", "acceleration"),
    )


def _limit(parameters: Mapping[str, object], motion: str, kind: str) -> float:
    prefix = f"{motion}.{_AXIS[motion]}"
    if _value(parameters, f"{prefix}.has_{kind}_limits") is False:
        return 0.0
    return _number(parameters, f"{prefix}.max_{kind}")


def _number(parameters: Mapping[str, object], name: str) -> float:
    """Return a figure above zero, or zero where there is none."""
    value = _value(parameters, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0.0 < value <= sys.float_info.max else 0.0


def _value(parameters: Mapping[str, object], name: str) -> object:
    """Return a parameter, written with dots in its name or as mappings in one another."""
    if name in parameters:
        return parameters[name]
    first, _, rest = name.partition(".")
    inner = parameters.get(first)
    return _value(inner, rest) if rest and isinstance(inner, Mapping) else None


def _merged(drive: DriveFigures, told: DriveFigures) -> DriveFigures:
    values = {f.name: getattr(told, f.name) for f in fields(told)}
    publish_tf = drive.publish_tf and told.publish_tf
    said = {name: value for name, value in values.items() if value}
    return replace(drive, **(said | {"publish_tf": publish_tf}))
