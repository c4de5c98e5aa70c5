"""ROS-TCP: the protocol that Unity's ROS-TCP-Connector speaks to a ROS-TCP-Endpoint."""

PUBLIC = ("bridge",)
