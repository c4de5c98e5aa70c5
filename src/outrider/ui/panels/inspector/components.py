"""The components of the selected item, and a dialog to attach one."""

from nicegui import ui

from outrider.components.catalogue import COMPONENTS
from outrider.ui.components import (
    ComponentFacts,
    components_on,
    with_component,
    without_component,
)
from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.form import Form
from outrider.ui.panels.inspector.section import fact, section

KINDS = ("world", "robot", "object", "model", "link", "sensor")  # what a component can be on


async def inspect_components(context: Context, node: Node) -> None:
    """Show the item's components with their parameters."""
    on = "" if node.kind == "world" else node.name.lstrip("/")
    session = context.editor.session
    found = await context.editor.between(lambda: components_on(session, on))
    if not found and context.read_only:
        return
    with section("Components", "extension", opened=bool(found)):
        for one in found:
            _show(context, one)
        if not context.read_only:
            button = ui.button("Attach a component", icon="add", on_click=lambda: _ask(context, on))
            button.props('flat dense no-caps data-act="attach component"')


def _show(context: Context, one: ComponentFacts) -> None:
    async def remove() -> None:
        session = context.editor.session
        await context.apply(lambda: without_component(session, one.name), f"removed {one.name}")

    with ui.row().classes("or-fact"):
        ui.label(one.kind).classes("or-title").tooltip(one.name)
        if one.removable and not context.read_only:
            button = ui.button(icon="delete", color=None, on_click=remove).tooltip("Remove it")
            button.props('flat dense round size=sm data-act="remove component"')
    for name, value in one.parameters:
        fact(name, value)
    if one.fault:
        ui.label(one.fault).classes("or-error")


def _ask(context: Context, on: str) -> None:
    form = Form(f"Attach a component to {on or 'the world'}")
    known = list(COMPONENTS)
    kind = form.choice("component", known, known[0])
    parameters = form.text("parameters, such as {speed: 0.5, topic: /belt}")

    async def attach() -> str:
        session, type_, text = context.editor.session, str(kind.value), str(parameters.value)
        return await context.apply(
            lambda: with_component(session, type_, on, text), f"{on or 'world'}: {type_}"
        )

    form.submit("Attach", attach)
