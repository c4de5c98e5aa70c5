"""Output formatting: tables, status lines, messages, facts about models and surfaces."""

PUBLIC = (
    "catalogue",
    "harmless_text",
    "help_text",
    "message_text",
    "model_facts",
    "picture_text",
    "series",
    "status",
    "surface_facts",
    "sweep",
    "table",
)
