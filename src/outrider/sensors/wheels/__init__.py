"""What wheels and joints report: encoders, ticks, odometry, joint states."""

PUBLIC = ("encoders", "joint_states", "odometer", "odometry", "ticks")
