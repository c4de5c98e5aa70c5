"""The links and joints of a robot built in Python."""

import math
from collections.abc import Sequence

import numpy as np

from outrider.builders.objects import BuiltObject
from outrider.builders.robot_parts import Castor, Steering, Wheel
from outrider.core.frames import Pose
from outrider.loader.solids import Appearance, rigid_link
from outrider.world.inertia import solid_inertial
from outrider.world.materials import Material
from outrider.world.model import Geometry, Inertial, Joint, Link, Model
from outrider.world.shapes import Cylinder, Sphere

BASE, CHASSIS = "base_link", "chassis"
_KNUCKLE = 0.2  # share of a steered wheel's mass that turns with the steering only
_TYRE = Material(name="rubber", friction=0.9, reflectivity=0.05, colour=(0.12, 0.12, 0.12, 1.0))
_ALONG_Y = Pose.from_rpy([0.0, 0.0, 0.0], [math.pi / 2, 0.0, 0.0])


def link_of(joint: str) -> str:
    """Return the name of the link that a wheel's joint rotates."""
    return f"{joint}_link"


def steering_joint(wheel: Wheel) -> str:
    """Return the name of the joint that steers a wheel."""
    return f"{wheel.name}_steering"


class ModelMaker:
    """Collects links and joints; all poses are in the chassis frame."""

    def __init__(self, name: str, body: BuiltObject, base: Pose) -> None:
        """Take the body, and where the robot's own frame lies in it: for most at its origin."""
        self._name = name
        self._links: list[Link] = []
        self._joints: list[Joint] = []
        at_chassis = not base.position.any()
        self.chassis = BASE if at_chassis else CHASSIS
        if not at_chassis:
            self._links.append(Link(BASE))
            self._joints.append(Joint("chassis_joint", "fixed", BASE, CHASSIS, base.inverse()))
        self._links.append(_rigid(self.chassis, body, self._where))

    @property
    def _where(self) -> str:
        return f"robot '{self._name}'"

    def fix(self, thing: BuiltObject) -> None:
        """Fix an object to the chassis, as its own link."""
        self._links.append(_rigid(thing.name, thing, self._where))
        self._fix(thing.name, thing.pose_inside.pose())

    def add_wheel(self, wheel: Wheel) -> None:
        """Hang a wheel on the chassis, or on a knuckle that is steered."""
        origin = wheel.pose_inside.pose()
        mass = wheel.mass
        if wheel.steering is not None:
            mass *= 1 - _KNUCKLE
            self._add_knuckle(wheel, wheel.steering, origin)
            parent, origin = f"{wheel.name}_knuckle", Pose()
        else:
            parent = self.chassis
        shape = Cylinder(wheel.radius, wheel.width)
        geometry = (Geometry(shape, _ALONG_Y, _TYRE),)
        across, _, along = np.diag(solid_inertial(shape, mass).inertia).tolist()
        inertial = Inertial(mass, np.diag([across, along, across]))
        self._links.append(Link(link_of(wheel.name), inertial, geometry, geometry))
        self._joints.append(
            Joint(wheel.name, "continuous", parent, link_of(wheel.name), origin, (0.0, 1.0, 0.0))
        )

    def add_castor(self, castor: Castor) -> None:
        """Put a ball under the chassis; its weight counts with the body's."""
        ball = (Geometry(Sphere(castor.radius), Pose(), _TYRE),)
        self._links.append(Link(castor.name, None, ball, ball))
        self._fix(castor.name, castor.pose_inside.pose())

    def finish(self) -> Model:
        """Return the model."""
        return Model(self._name, tuple(self._links), tuple(self._joints))

    def _add_knuckle(self, wheel: Wheel, steering: Steering, origin: Pose) -> None:
        mass = _KNUCKLE * wheel.mass
        inertia = 0.4 * mass * (0.5 * wheel.radius) ** 2 * np.eye(3)
        knuckle = f"{wheel.name}_knuckle"
        self._links.append(Link(knuckle, Inertial(mass, inertia)))
        # the inner wheel turns farther than the angle that the car is steered by
        most = math.radians(min(85.0, 1.5 * steering.max_deg))
        joint = Joint(
            steering_joint(wheel),
            "revolute",
            self.chassis,
            knuckle,
            origin,
            (0.0, 0.0, 1.0),
            lower=-most,
            upper=most,
        )
        self._joints.append(joint)

    def _fix(self, link: str, origin: Pose) -> None:
        self._joints.append(Joint(f"{link}_joint", "fixed", self.chassis, link, origin))


def _rigid(name: str, thing: BuiltObject, where: str) -> Link:
    look = Appearance(where, thing.material or "plastic", {}, thing.colour, thing.texture)
    return rigid_link(name, thing.parts, thing.mass, look)


def wheelbase(wheels: Sequence[Wheel]) -> tuple[float, float]:
    """Return the x of the rearmost and of the foremost axle."""
    places = [wheel.pose.x for wheel in wheels]
    return min(places), max(places)
