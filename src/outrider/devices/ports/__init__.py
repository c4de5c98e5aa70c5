"""The ports of devices: pseudo-terminals, or TCP with RFC 2217."""

PUBLIC = ("line", "port", "pseudo_terminal", "tcp")
