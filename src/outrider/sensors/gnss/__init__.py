"""Satellite positioning, and the overhead-camera positioning of model-car labs."""

PUBLIC = ("gnss", "pose_gps")
