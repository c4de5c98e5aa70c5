"""Messages of the past: bags, MCAP files and KITTI folders."""
