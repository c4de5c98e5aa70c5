"""Programs of users in plain Python: ``setup(robot)`` and ``loop(robot)``, in a process of their own."""

PUBLIC = ("controller", "process", "program", "robot")
