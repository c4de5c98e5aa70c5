"""What is where: the occupancy grid, and its files."""
