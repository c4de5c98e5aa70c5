"""Projects: one folder with worlds, robots, scenarios and assets, and its zip file."""

PUBLIC = ("archive", "folder")
