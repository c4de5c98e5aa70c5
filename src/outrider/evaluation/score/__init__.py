"""Farley's score: published tables, their equations, and our column beside theirs."""

PUBLIC = ("farley", "score")
