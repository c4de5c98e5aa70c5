"""Commands that inspect or command a running simulation, one file each."""

PUBLIC = ("call", "choice", "echo", "hz", "pub", "record", "teleop", "topics")
