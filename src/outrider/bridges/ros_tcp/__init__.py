"""ROS-TCP: the protocol between Unity's ROS-TCP-Connector and a ROS-TCP-Endpoint."""

PUBLIC = ("bridge",)
