"""Our own YAML files: their keys as frozen dataclasses, read strictly and written plainly."""
