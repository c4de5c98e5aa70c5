"""The dialogs that add a part or a wheel to a robot's link."""

from collections.abc import Callable
from functools import partial

from outrider.specs.world import (
    BoxSpec,
    CapsuleSpec,
    CylinderSpec,
    PoseSpec,
    ShapeSpec,
    SphereSpec,
)
from outrider.ui.panels.context import Context
from outrider.ui.panels.form import Form
from outrider.ui.workshop import files
from outrider.ui.workshop.robot_parts import JOINTS, NewPart, NewWheel, with_part, with_wheel
from outrider.vehicles.robot_file import RobotFiles

_SHAPES: dict[str, ShapeSpec] = {
    "box": BoxSpec(size=(0.15, 0.15, 0.1)),
    "sphere": SphereSpec(radius=0.08),
    "cylinder": CylinderSpec(radius=0.05, length=0.25),
    "capsule": CapsuleSpec(radius=0.05, length=0.15),
}
_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def ask_for_part(context: Context, robot: str, link: str) -> None:
    """Ask for a part's name, shape, pose, mass and joint."""
    form = Form(f"Add a part to {link}", "Size and colour can be changed when it is there.")
    name = form.text("part name", "part")
    kind = form.choice("shape", list(_SHAPES), "box")
    places = form.numbers(("x", 0.0, "m"), ("y", 0.0, "m"), ("z", 0.2, "m"))
    mass = form.numbers(("mass", 1.0, "kg"))
    joint = form.choice("joint", JOINTS, "fixed")
    axis = form.choice("joint axis", list(_AXES), "z")

    async def add() -> str:
        x, y, z = places()
        part = NewPart(
            str(name.value),
            _SHAPES[str(kind.value)],
            PoseSpec(x, y, z),
            mass()[0],
            joint=joint.value or "fixed",
            axis=_AXES[str(axis.value)],
        )
        return await _put(context, robot, partial(with_part, link=link, part=part), part.name)

    form.submit("Add", add)


def ask_for_wheel(context: Context, robot: str, link: str) -> None:
    """Ask for a wheel's name, size, pose and mass, and whether it is driven."""
    form = Form(f"Add a wheel to {link}", "Driven ones count to the side on which they stand.")
    name = form.text("wheel name", "wheel")
    sizes = form.numbers(("radius", 0.1, "m"), ("width", 0.05, "m"), ("mass", 0.5, "kg"))
    places = form.numbers(("x", 0.0, "m"), ("y", 0.25, "m"), ("z", -0.05, "m"))
    driven = form.switch("Driven by a motor", True)

    async def add() -> str:
        radius, width, mass = sizes()
        x, y, z = places()
        wheel = NewWheel(
            str(name.value), radius, width, PoseSpec(x, y, z), mass, bool(driven.value)
        )
        return await _put(context, robot, partial(with_wheel, link=link, wheel=wheel), wheel.name)

    form.submit("Add", add)


async def _put(
    context: Context, robot: str, change: Callable[[RobotFiles], RobotFiles], name: str
) -> str:
    session = context.editor.session
    return await context.apply(
        lambda: files.rebuilt(session, robot, change), f"{robot}: added {name}"
    )
