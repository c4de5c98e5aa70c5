"""The process that the program runs in: garbage, threads, open files, shutdown, notices."""

PUBLIC = (
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
