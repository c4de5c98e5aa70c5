"""Forces and torques in joints."""

PUBLIC = ("force_torque", "load_cell")
