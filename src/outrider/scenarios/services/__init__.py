"""The services that other programs can call on a running simulation."""

PUBLIC = ("handlers", "in_process", "model_state")
