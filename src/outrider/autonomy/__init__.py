"""The default autonomy stack: it sees messages as real robots publish them and sends commands."""
