"""Projects: one folder with worlds, robots, scenarios and assets, and the zip file of it."""

PUBLIC = ("archive", "folder")
