"""What moves robots and things: scripted motions and paths, actors, the autonomy stack."""

PUBLIC = ("actors", "brain", "driven", "motions", "paths")
