"""Time, frames, errors, registry, seeds, cache and structured files: what every room needs."""
