"""ROS 1 in plain Python: node, master, TCPROS, control services."""

PUBLIC = ("bridge",)
