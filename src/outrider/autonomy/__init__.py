"""The default autonomy stack: it works from the messages of a robot and sends commands."""
