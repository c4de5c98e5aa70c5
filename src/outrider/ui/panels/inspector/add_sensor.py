"""The dialog that attaches a sensor of the library to a robot or link."""

from dataclasses import replace

from nicegui import ui

from outrider.loader.library import library_names
from outrider.scenarios.session.changes import AddSensor
from outrider.scenarios.session.session import Session
from outrider.specs.sensor import SensorEntry
from outrider.specs.world import PoseSpec
from outrider.ui.panels.context import Context
from outrider.ui.panels.inspector.field import parsed


def ask_for_sensor(context: Context, robot: str, link: str) -> None:
    """Ask which sensor, under which name, and where on the link."""
    models = library_names("sensors")
    with ui.dialog() as dialog, ui.card().classes("or-dialog or-form"):
        ui.label(f"Attach a sensor to {robot}{'/' + link if link else ''}").classes("or-title")
        model = ui.select(models, label="Sensor", value="velodyne-vlp16", with_input=True)
        model.props('dense outlined options-dense data-field="sensor model"').classes("or-wide")
        name = ui.input("Name (empty: its model's)").props(
            'dense outlined data-field="sensor name"'
        )
        with ui.row().classes("or-line"):
            places = {
                axis: ui.input(axis, value=value).props("dense outlined suffix=m")
                for axis, value in (("x", "0"), ("y", "0"), ("z", "0.4"))
            }
        wrong = ui.label("").classes("or-error")

        async def attach() -> None:
            numbers = {axis: parsed(str(box.value)) for axis, box in places.items()}
            bad = [axis for axis, number in numbers.items() if number is None]
            if bad:
                wrong.text = f"{bad[0]}: expected a number, got '{places[bad[0]].value}'"
                return
            x, y, z = (number or 0.0 for number in numbers.values())
            text = name.value or str(model.value).replace("-", "_")
            session = context.desk.session
            entry = SensorEntry(text, str(model.value), link, PoseSpec(x, y, z))
            wrong.text = await context.change(
                lambda: session.apply(AddSensor(_free(session, robot, entry), robot)),
                f"{robot}: sensor {text}",
            )
            if not wrong.text:
                dialog.close()

        with ui.row():
            ui.button("Attach", on_click=attach).props('no-caps data-act="attach now"')
            ui.button("Cancel", on_click=dialog.close).props("flat no-caps")
    dialog.on("hide", dialog.delete)
    dialog.open()


def _free(session: Session, robot: str, entry: SensorEntry) -> SensorEntry:
    """Return the entry; a name that the robot's sensors have already would replace one of them."""
    taken = {m.plan.entry.name for m in session.simulation.mounted if m.owner == robot}
    name = entry.name
    count = 2
    while name in taken:
        name, count = f"{entry.name}_{count}", count + 1
    return replace(entry, name=name)
