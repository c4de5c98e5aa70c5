"""The process that the program runs in: garbage, threads, open files, shutdown, notices."""

PUBLIC = (
    "collector",
    "helper_threads",
    "mujoco_warnings",
    "interpreter",
    "notices",
    "open_files",
    "shutdown",
)
