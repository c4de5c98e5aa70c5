"""Components: a user's own behaviour, attached to anything in a simulation."""
