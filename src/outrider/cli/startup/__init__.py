"""What a command needs to start a run: its own start time, a quick start, the editor."""

PUBLIC = ("editor", "process_age", "quick_start")
