"""Programs of users in plain Python, in a process of their own."""

PUBLIC = ("controller", "process", "program", "robot")
