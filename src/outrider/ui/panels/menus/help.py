"""All keyboard shortcuts on one card."""

from nicegui import ui

KEYS = (
    ("Drive (hold)", "↑ ↓ ← →   W S A D   U J H K"),
    ("Stop", ";"),
    ("Play, pause", "P"),
    ("Step while paused", "."),
    ("Reset to the start", "Enter"),
    ("Fly camera on, off", "Space"),
    ("Fly", "W S A D, Q up, Z down, drag to look"),
    ("Cameras", "1 follow  2 orbit  3 chase  4 first person  5 top  6 fly"),
    ("Look at the selection", "F"),
    ("Wireframe, grid", "X, G"),
    ("Duplicate, delete", "Ctrl+D, Del"),
    ("Undo, redo", "Ctrl+Z, Ctrl+Shift+Z"),
    ("Save", "Ctrl+S"),
    ("Go to the console", "/"),
    ("Snap handles to 0.25 m and 15°", "hold Ctrl"),
    ("Clear the selection", "Esc"),
    ("This card", "F1"),
)


def show_help() -> None:
    """Show the card."""
    with ui.dialog() as dialog, ui.card().classes("or-dialog"):
        ui.label("Keys").classes("or-title")
        with ui.grid(columns="auto 1fr").classes("or-keys"):
            for what, keys in KEYS:
                ui.label(what)
                ui.label(keys).classes("or-key")
        ui.label("Keys drive while no field has the focus: click into the scene first.").classes(
            "or-hint"
        )
        ui.button("Close", on_click=dialog.close).props("flat no-caps")
    dialog.on("hide", dialog.delete)
    dialog.open()
