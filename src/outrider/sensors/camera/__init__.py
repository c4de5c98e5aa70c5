"""Cameras: colour, stereo, depth, segmentation."""

PUBLIC = ("camera", "renderer_pool")
