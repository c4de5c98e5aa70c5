"""The process that the program runs in: garbage, threads, open files, start, shutdown, notices."""

PUBLIC = (
    "chores",
    "dataclass_methods",
    "garbage_collection",
    "helper_threads",
    "interpreter",
    "mujoco_warnings",
    "notices",
    "open_files",
    "service_thread",
    "shutdown",
    "worker_process",
)
