"""What moves robots and objects: scripted motions and paths, actors, the autonomy stack."""

PUBLIC = ("actors", "autonomy", "driven_robot", "motions", "paths")
