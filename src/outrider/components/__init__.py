"""Behaviour of a user's own, attached to anything in a simulation."""
