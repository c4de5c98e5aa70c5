"""The workshop: robots and models opened alone and assembled part by part."""

PUBLIC = ("files", "links", "model_parts", "opening", "robot_parts")
