"""Reports: one document of tables and pictures, written as HTML and as Markdown."""

PUBLIC = ("document", "html", "imu_pictures", "markdown", "published", "pyplot", "report")
