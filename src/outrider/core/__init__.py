"""Time, frames, errors, registry, seeds, cache, structured files: what every package needs."""
