"""The menus and the dialogs that they open."""

PUBLIC = ("menus", "help")
