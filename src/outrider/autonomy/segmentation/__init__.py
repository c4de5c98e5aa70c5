"""Segmentation: which points are ground, and which are obstacles."""
