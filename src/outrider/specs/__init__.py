"""Outrider's own YAML files: their keys as frozen dataclasses, read strictly, written plainly."""
