"""The default engine: MuJoCo."""

PUBLIC = ("engine", "model", "saved", "transfer", "trial_data")
