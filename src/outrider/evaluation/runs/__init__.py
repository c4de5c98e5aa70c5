"""Measured runs: one, or a series in separate processes, with result files."""

PUBLIC = (
    "facts",
    "figures",
    "folder",
    "junit",
    "mapped",
    "measured",
    "series",
    "statistics",
    "worker",
    "worker_process",
)
