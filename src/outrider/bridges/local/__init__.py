"""The local port: what the command line and Python clients use to reach a running simulation."""

PUBLIC = ("client", "runs", "server")
