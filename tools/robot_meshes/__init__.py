"""How the library robots look: drawn by a few forms, one file for each robot."""
