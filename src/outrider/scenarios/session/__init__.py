"""A running simulation that can be changed, saved, loaded and undone."""

PUBLIC = ("changes", "placing", "session", "spawning")
