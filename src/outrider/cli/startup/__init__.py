"""What a command needs to start a run: process age, quick start, compiled kernels, the editor."""

PUBLIC = ("editor", "empty_values", "kernels", "plain_values", "process_age", "quick_start")
