"""The inspector: the selected item and its values; one file for each kind of item."""

PUBLIC = ("add_sensor", "inspector")
