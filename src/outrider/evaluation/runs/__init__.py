"""Measured runs: one, or a series in separate processes, with result files."""

PUBLIC = (
    "facts",
    "figures",
    "folder",
    "junit",
    "map_accuracy",
    "measured_run",
    "series",
    "statistics",
    "worker",
)
