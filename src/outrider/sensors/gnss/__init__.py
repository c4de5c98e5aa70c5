"""Satellite positioning, and the overhead-camera positioning of model-car labs."""

PUBLIC = ("geodesy", "gnss", "pose_gps")
