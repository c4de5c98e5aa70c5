"""Users' programs in plain Python, in separate processes."""

PUBLIC = ("controller", "process", "program", "robot")
