"""What moves robots and objects: scripted motions and paths, actors, the autonomy stack."""

PUBLIC = ("actors", "brain", "driven", "motions", "paths")
