"""Where a program finds a device: a pseudo-terminal, or TCP with RFC 2217."""

PUBLIC = ("line", "port", "pseudo_terminal", "tcp")
