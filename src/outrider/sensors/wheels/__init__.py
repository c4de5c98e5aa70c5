"""What wheels and joints report: encoders, ticks, odometry, joint states."""

PUBLIC = ("drive_power", "encoders", "joint_states", "odometer", "odometry", "ticks")
