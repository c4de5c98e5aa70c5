"""A Velodyne VLP-16's packets on the network, made from a simulated one's clouds."""

PUBLIC = ("bridge", "packets", "stream")
