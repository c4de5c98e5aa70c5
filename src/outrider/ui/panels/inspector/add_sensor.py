"""The dialog that adds a sensor to a robot, a link or the world."""

from dataclasses import replace

from outrider.loader.library import library_names
from outrider.scenarios.session.changes import AddSensor
from outrider.scenarios.session.session import Session
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.ui.panels.context import Context
from outrider.ui.panels.form import Form


def ask_for_sensor(context: Context, robot: str, link: str) -> None:
    """Ask for a sensor's model, name and pose."""
    where = f"{robot}/{link}" if link else robot or "the world"
    form = Form(f"Attach a sensor to {where}")
    model = form.choice("sensor model", library_names("sensors"), "velodyne-vlp16")
    name = form.text("sensor name (empty: its model's)")
    places = form.numbers(("x", 0.0, "m"), ("y", 0.0, "m"), ("z", 0.4 if robot else 2.0, "m"))
    angles = form.numbers(("roll", 0.0, "°"), ("pitch", 0.0, "°"), ("yaw", 0.0, "°"))

    async def attach() -> str:
        text = name.value or str(model.value).replace("-", "_")
        session = context.editor.session
        entry = SensorEntry(text, str(model.value), link, PoseSpec(*places(), *angles()))
        return await context.apply(
            lambda: AddSensor(_free(session, robot, entry), robot),
            f"{robot or 'world'}: sensor {text}",
        )

    form.submit("Attach", attach)


def _free(session: Session, robot: str, entry: SensorEntry) -> SensorEntry:
    """Return the entry; a name already in use would replace that sensor."""
    taken = {m.plan.entry.name for m in session.simulation.mounted if m.owner == robot}
    name = entry.name
    count = 2
    while name in taken:
        name, count = f"{entry.name}_{count}", count + 1
    return replace(entry, name=name)
