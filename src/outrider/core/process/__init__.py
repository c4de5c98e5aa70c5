"""The process that the program runs in: garbage, threads, open files, shutdown, notices."""

PUBLIC = ("collector", "interpreter", "notices", "open_files", "shutdown")
