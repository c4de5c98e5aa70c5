"""Output formatting: tables, status lines, facts about models and surfaces."""

PUBLIC = ("catalogue", "model_facts", "picture_text", "series", "status", "surface_facts", "table")
