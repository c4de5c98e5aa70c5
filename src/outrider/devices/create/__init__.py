"""The Open Interface of iRobot's Create 1 and 2 and of the Roomba."""

PUBLIC = ("body", "create")
