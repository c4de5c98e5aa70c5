"""ROS 1 in pure Python: node, master, TCPROS, control services."""

PUBLIC = ("bridge",)
