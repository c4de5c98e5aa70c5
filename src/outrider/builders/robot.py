"""A robot built part by part; the result is a URDF and a robot file."""

from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

import numpy as np

from outrider.builders.objects import Box, BuiltObject
from outrider.builders.placed import Placed
from outrider.builders.robot_figures import (
    castors_of,
    drivetrain_for,
    limits_for,
    motor_for,
    steering_motor_for,
    tyre_for,
)
from outrider.builders.robot_model import ModelMaker, wheelbase
from outrider.builders.robot_parts import Castor, Sensor, Wheel
from outrider.core.arguments import numbers_argument, text_argument
from outrider.core.errors import ConfigError, near_match
from outrider.core.frames import Pose
from outrider.core.structure import Data, from_data, plain
from outrider.sensors.catalogue import plan_sensor
from outrider.vehicles.robot import Robot, load_robot
from outrider.vehicles.robot_file import keep_robot, save_robot
from outrider.vehicles.spec import RobotSpec
from outrider.world.model import Model

T = TypeVar("T")
Axles = Literal["all", "front", "rear"]
_FIGURES = ("tyre", "motor", "steering_motor", "limits")


class RobotBuilder:
    """A chassis with wheels, parts and sensors; poses are in the chassis frame."""

    def __init__(
        self,
        name: str,
        size: tuple[float, float, float] = (0.6, 0.4, 0.2),
        mass: float = 10.0,
        *,
        body: BuiltObject | None = None,
        description: str = "",
    ) -> None:
        """Take a box of that size and mass for the chassis, or a ``body`` of any shape."""
        self.name = text_argument(name, "RobotBuilder", "a name")
        self.description = description
        x, y, z = numbers_argument(size, f"robot '{name}': size", 3)
        self._size = x, y, z
        self._body = body or Box(x, y, z, mass=mass, material="plastic")
        if self._body.mass <= 0:
            raise ConfigError(f"robot '{name}': its body needs a mass")
        self._parts: list[BuiltObject] = []
        self._wheels: list[Wheel] = []
        self._castors: list[Castor] = []
        self._sensors: list[Sensor] = []
        self._set: dict[str, Data] = {}
        self._more: Data = {}
        self._numbers: Counter[str] = Counter()

    def add(self, *parts: BuiltObject | Wheel | Castor | Sensor) -> Self:
        """Add wheels, castors, sensors or objects of any shape to the chassis."""
        for part in parts:
            if not isinstance(part, BuiltObject | Wheel | Castor | Sensor):
                raise ConfigError(
                    f"RobotBuilder.add: expected a part such as o.Wheel(0.1, 0.05)"
                    f" or o.Box(1, 1, 1), got {part!r:.60}"
                )
            if part.added:
                raise ConfigError(f"this {part.word} is on a robot already: add a copy()")
            part.name = self._free_name(part)
            self._list_for(part).append(part)
            part.added = True
        return self

    def wheels(
        self,
        radius: float,
        width: float,
        wheelbase: float,
        track: float,
        *,
        driven: Axles = "all",
        steered: Literal["", "front"] = "",
        max_steering_deg: float = 30.0,
        z: float | None = None,
        mass: float | None = None,
    ) -> Self:
        """Add four wheels, axles at the bottom of the chassis unless ``z`` says otherwise."""
        height = -self._size[2] / 2 if z is None else z
        for axle, x in (("front", wheelbase / 2), ("rear", -wheelbase / 2)):
            for side, y in (("left", track / 2), ("right", -track / 2)):
                wheel = Wheel(
                    radius,
                    width,
                    driven=driven in ("all", axle),
                    mass=mass,
                    name=f"{axle}_{side}_wheel",
                )
                if steered == axle:
                    wheel.steer(max_steering_deg)
                self.add(wheel.move(x, y, height))
        return self

    def suspension(self, stiffness: float, damping: float, travel: float = 0.1) -> Self:
        """Put all wheels added so far on springs (N/m, N s/m, m)."""
        for wheel in self._wheels:
            wheel.suspend(stiffness, damping, travel)
        return self

    def sensor(
        self,
        name: str,
        model: str,
        x: float = 0.0,
        y: float = 0.0,
        z: float = 0.0,
        *,
        roll_deg: float = 0.0,
        pitch_deg: float = 0.0,
        yaw_deg: float = 0.0,
        **options: Any,
    ) -> Self:
        """Mount a sensor of the library; ``options`` are those of ``Sensor``."""
        placed = Sensor(model, name, **options).move(x, y, z)
        return self.add(placed.rotate(roll_deg, pitch_deg, yaw_deg))

    def set(self, part: str, **figures: object) -> Self:
        """Override parameters of ``tyre``, ``motor``, ``steering_motor`` or ``limits``."""
        if part not in _FIGURES:
            known = ", ".join(_FIGURES)
            raise ConfigError(
                f"robot '{self.name}': there is no '{part}'{near_match(part, _FIGURES)};"
                f" known: {known}"
            )
        self._set.setdefault(part, {}).update(figures)
        return self

    def topics(self, **names: str) -> Self:
        """Rename topics, by their key in the topic table."""
        self._more["topics"] = {**self._more.get("topics", {}), **names}
        return self

    @property
    def mass(self) -> float:
        """The total mass in kg."""
        parts = sum(part.mass for part in self._parts)
        return self._body.mass + parts + sum(wheel.mass for wheel in self._wheels)

    @property
    def model(self) -> Model:
        """Its links and joints."""
        maker = ModelMaker(self.name, self._body, self._base())
        for part in self._parts:
            maker.fix(part)
        for wheel in self._wheels:
            maker.add_wheel(wheel)
        for castor in self._castors:
            maker.add_castor(castor)
        return maker.finish()

    @property
    def spec(self) -> RobotSpec:
        """The robot as in a robot file."""
        if not self._wheels:
            raise ConfigError(f"robot '{self.name}': it has no wheels")
        drivetrain = drivetrain_for(self.name, self._wheels)
        steers = any(wheel.steering is not None for wheel in self._wheels)
        spec = RobotSpec(
            self.name,
            f"{self.name}.urdf",
            drivetrain,
            self.description,
            tyre=self._figures("tyre", tyre_for(self.mass, self._wheels, self._castors)),
            motor=self._figures("motor", motor_for(self.mass, self._wheels)),
            limits=self._figures("limits", limits_for(steers)),
            idle_wheels=tuple(w.name for w in self._wheels if not w.driven),
            castors=castors_of(self._castors),
            suspension={w.name: w.spring for w in self._wheels if w.spring is not None},
            sensors=self._entries(),
            **self._more,
        )
        if steers:
            servo = steering_motor_for(self.mass, self._wheels)
            spec = replace(spec, steering_motor=self._figures("steering_motor", servo))
        return from_data(RobotSpec, plain(spec), f"robot '{self.name}'")

    def robot(self) -> Robot:
        """Return the robot, identical bit for bit to a saved and reloaded one."""
        return load_robot(self.file())

    def file(self) -> Path:
        """Return the robot's file in the cache, for scenarios: it is there as long as the cache."""
        return keep_robot(self.spec, self.model)

    def save(self, folder: str | Path) -> Path:
        """Write the robot's URDF, meshes and YAML file into a folder; return the last."""
        return save_robot(self.spec, self.model, Path(folder))

    def _base(self) -> Pose:
        """Return where the robot's own frame is: a car's is the middle of its rear axle."""
        if not any(wheel.steering for wheel in self._wheels):
            return Pose()
        fixed = [wheel for wheel in self._wheels if not wheel.steering] or self._wheels
        return Pose(np.array([wheelbase(fixed)[0], 0.0, 0.0]))

    def _figures(self, part: str, base: T) -> T:
        """Return figures with the maker's own over them, checked as those of a file are."""
        own = self._set.get(part, {})
        known = {f.name: getattr(base, f.name) for f in fields(base)}  # type: ignore[arg-type]
        return from_data(type(base), {**known, **own}, f"robot '{self.name}': {part}")

    def _entries(self) -> tuple[Any, ...]:
        where = f"robot '{self.name}'"
        chassis = ModelMaker(self.name, self._body, self._base()).chassis
        link = "" if chassis == "base_link" else chassis
        entries = tuple(sensor.entry(sensor.name, link) for sensor in self._sensors)
        for entry in entries:
            plan_sensor(entry, where)  # a name that the library does not know is told now
        return entries

    def _list_for(self, part: Placed) -> list[Any]:
        for kind, found in (
            (Wheel, self._wheels),
            (Castor, self._castors),
            (Sensor, self._sensors),
            (BuiltObject, self._parts),
        ):
            if isinstance(part, kind):
                return found
        raise ConfigError(f"robot '{self.name}': a {part.word} cannot be part of a robot")

    def _free_name(self, part: Placed) -> str:
        every = (*self._parts, *self._wheels, *self._castors, *self._sensors)
        taken = {item.name for item in every}
        if part.name:
            if part.name in taken:
                raise ConfigError(f"robot '{self.name}': two parts have the name '{part.name}'")
            return part.name
        while True:
            self._numbers[part.word] += 1
            name = f"{part.word}_{self._numbers[part.word]}"
            if name not in taken:
                return name
