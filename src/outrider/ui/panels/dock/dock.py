"""The dock below the scene: console, topics, plots, sensor views, code."""

from nicegui import ui

from outrider.ui.layout import Tab
from outrider.ui.panels.context import Context
from outrider.ui.panels.dock.code import CodePanel
from outrider.ui.panels.dock.console import Console
from outrider.ui.panels.dock.plots import Plots
from outrider.ui.panels.dock.topics import Topics
from outrider.ui.panels.dock.views import ViewsPanel


class Dock:
    """Five tabs; only the visible one uses any time."""

    def __init__(self, context: Context) -> None:
        with ui.column().classes("or-panel or-dock"):
            with (
                ui.tabs().props("dense no-caps align=left inline-label").classes("or-tabs") as tabs
            ):
                for name, icon in (
                    ("Console", "terminal"),
                    ("Topics", "rss_feed"),
                    ("Plots", "show_chart"),
                    ("Views", "photo_camera"),
                    ("Code", "code"),
                ):
                    ui.tab(name, icon=icon)
            self._panels = ui.tab_panels(tabs, value="Console", animated=False)
            self._panels.props("keep-alive").classes("or-tab-panels")
            with self._panels:
                with ui.tab_panel("Console").classes("or-tab"):
                    self.console = Console(context)
                with ui.tab_panel("Topics").classes("or-tab"):
                    self.topics = Topics(context, self._plot)
                with ui.tab_panel("Plots").classes("or-tab"):
                    self.plots = Plots(context)
                with ui.tab_panel("Views").classes("or-tab"):
                    self.views = ViewsPanel(context)
                with ui.tab_panel("Code").classes("or-tab"):
                    self.code = CodePanel(context)

        context.plot = self._plot

    def focus(self) -> None:
        """Focus the command line."""
        self._panels.value = "Console"
        self.console.focus()

    def show(self, name: str) -> None:
        """Open a tab."""
        self._panels.value = name

    @property
    def tab(self) -> Tab:
        """The tab that is seen."""
        seen: Tab = self._panels.value
        return seen

    async def refresh(self) -> None:
        """Update the visible tab."""
        self.console.refresh()
        seen = self._panels.value
        if seen == "Topics":
            await self.topics.refresh()
        else:
            self.topics.rest()
        if seen == "Plots":
            self.plots.refresh()
        if seen == "Views":
            self.views.refresh()
        if seen == "Code":
            self.code.refresh()

    def _plot(self, topic: str, path: str) -> None:
        self.plots.add(topic, path)
        self.show("Plots")
