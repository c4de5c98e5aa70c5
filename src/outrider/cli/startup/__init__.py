"""What a command needs to start a run: process age, quick start, compiled kernels, the editor."""

PUBLIC = ("editor", "kernels", "plain_values", "process_age", "quick_start")
