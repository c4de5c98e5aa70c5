"""Actions on a whole robot or object: open it alone, save it as a file."""

from outrider.ui.outline import Node
from outrider.ui.panels.context import Context
from outrider.ui.panels.form import Form
from outrider.ui.workshop import files, opening


class FileActions:
    """The two buttons next to an item's name."""

    def __init__(self, context: Context, node: Node) -> None:
        self._context = context
        self._node = node
        self.word = "robot" if node.kind == "robot" else "model"

    async def alone(self) -> None:
        """Open it alone on a plain floor."""
        editor, name = self._context.editor, self._node.name
        scenario = await editor.between(lambda: opening.alone(editor.session, name))
        await self._context.go_to(lambda: scenario, f"{name} alone", None)

    async def save(self) -> None:
        """Ask for a name and save it."""
        editor, name = self._context.editor, self._node.name
        folder = editor.options.projects
        form = Form(
            f"Save {name} as a {self.word}", f"In {folder}/{self.word}s; Add finds it there."
        )
        called = form.text(f"{self.word} name", name)
        save_as = files.save_robot_as if self.word == "robot" else files.save_model_as

        async def save() -> str:
            text = str(called.value or "").strip()
            return await self._context.change(
                lambda: save_as(editor.session, name, folder, text), f"saved {self.word} {text}"
            )

        form.submit("Save", save)
