"""The process that the program runs in: garbage, threads, open files, start, shutdown, notices."""

PUBLIC = (
    "chores",
    "dataclass_methods",
    "faster_choice",
    "file_lock",
    "garbage_collection",
    "helper_threads",
    "interpreter",
    "mujoco_warnings",
    "notices",
    "one_compiler",
    "open_files",
    "service_thread",
    "shutdown",
    "worker_process",
)
