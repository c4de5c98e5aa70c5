"""Reports: one document of tables and figures, written as HTML and as Markdown."""

PUBLIC = ("document", "html", "imu_pictures", "markdown", "published", "pyplot", "report")
