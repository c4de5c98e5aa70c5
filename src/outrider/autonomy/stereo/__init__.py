"""Stereo: depth from two images."""
