"""What a command needs to start a run: process age, quick start, compiled kernels, the editor."""

PUBLIC = ("editor", "kernels", "process_age", "quick_start")
