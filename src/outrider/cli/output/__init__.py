"""Output formatting: tables, status lines, facts about models and surfaces."""

PUBLIC = ("catalogue", "model_facts", "picture_text", "status", "surface_facts", "table")
