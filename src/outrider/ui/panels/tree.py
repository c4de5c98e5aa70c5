"""The hierarchy: everything in the simulation, by name."""

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from outrider.core.structure import Data
from outrider.ui.outline import ICONS, Node, find
from outrider.ui.panels.context import Context


class TreePanel:
    """Shows the tree; its selection is that of all panels."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._quiet = False
        with ui.column().classes("or-panel or-tree-panel"):
            with ui.row().classes("or-panel-head"):
                ui.icon("account_tree")
                ui.label("Hierarchy")
            self._filter = (
                ui.input(placeholder="Search")
                .props("dense borderless clearable")
                .classes("or-search")
            )
            with ui.scroll_area().classes("or-scroll"):
                self._tree = ui.tree(
                    [_row(context.tree)], label_key="label", on_select=self._selected
                ).props("dense no-connectors selected-color=primary duration=120")
                self._tree.props("no-selection-unset").classes("or-tree")
            self._filter.bind_value_to(self._tree, "filter")
        self._opened: set[str] = set()
        self._expand_new()
        context.picked.append(self._show)

    def refresh(self) -> None:
        """Update the tree."""
        rows = [_row(self._context.tree)]
        if rows != self._tree.props["nodes"]:
            self._tree.props["nodes"] = rows
            self._tree.update()
            self._expand_new()

    def _expand_new(self) -> None:
        """Expand new groups; groups that the user collapsed stay collapsed."""
        new = [key for key in _open_at_first(self._context.tree) if key not in self._opened]
        self._opened.update(new)
        if new:
            self._tree.expand(new)

    def _selected(self, event: ValueChangeEventArguments[str | None]) -> None:
        if self._quiet:
            return
        node = find(self._context.tree, str(event.value or ""))
        if node is not None and node.kind != "group":
            self._context.select(node)

    def _show(self) -> None:
        node = self._context.selected
        key = node.key if node else None
        if self._tree.props.get("selected") == key:
            return
        self._quiet = True
        if node is not None:
            self._tree.expand(_way_to(self._context.tree, node.key))
            self._tree.select(node.key)
        else:
            self._tree.deselect()
        self._quiet = False


def _row(node: Node) -> Data:
    return {
        "id": node.key,
        "label": node.label,
        "icon": ICONS[node.kind],
        "children": [_row(child) for child in node.children],
    }


def _open_at_first(tree: Node) -> list[str]:
    """Return the initially expanded groups."""
    return [tree.key, *(g.key for g in tree.children if g.name in ("robots", "objects"))]


def _way_to(node: Node, key: str) -> list[str]:
    if node.key == key:
        return [node.key]
    for child in node.children:
        if way := _way_to(child, key):
            return [node.key, *way]
    return []
