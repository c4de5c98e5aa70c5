"""Where the robot is, by wheels, inertia, LiDAR and cameras; each says how well it knows."""
