"""What importing adds to reading: notes for the report, and a drafted robot for a bare model."""

PUBLIC = ("controller_file", "draft", "report", "wheels")
