"""Farley's score: published tables, their equations, and our column."""

PUBLIC = ("farley", "score")
