"""Measures: one file each, functions of plain arrays, for any run or recording."""

PUBLIC = (
    "checkpoints",
    "confusion",
    "imu",
    "pose_error",
    "rates",
    "regions",
    "resources",
    "significance",
    "spectrum",
    "statistics",
    "trajectory",
    "truth_grid",
)
