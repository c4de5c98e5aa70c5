"""Recordings as input: bags, MCAP files and KITTI folders."""
