"""Cameras: colour, stereo, depth, segmentation."""

PUBLIC = ("camera", "parameters", "renderer_pool")
