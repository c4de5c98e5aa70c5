"""The default brain: it sees messages as a real robot publishes them, and answers with commands."""
