"""Options of commands, most of them shared by several, and how their values are read."""

PUBLIC = ("recording", "running", "shared")
