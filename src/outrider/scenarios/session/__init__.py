"""A running simulation that can be changed, saved, loaded and undone."""

PUBLIC = ("changes", "placing", "saved_state_file", "session", "spawning")
