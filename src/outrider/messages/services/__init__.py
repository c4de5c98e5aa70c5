"""The services of a running simulation: the table, its requests and its replies."""

PUBLIC = ("listing", "reading", "replies", "requests", "table")
