"""The dock below the scene: console, topics, plots and sensor views."""

PUBLIC = ("dock",)
