"""The menus and the dialogs that they open."""

PUBLIC = ("help", "import_dialog", "menus")
