"""The inspector: what is selected, with its values; one file for each kind of thing."""

PUBLIC = ("add_sensor", "inspector")
