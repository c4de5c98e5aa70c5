"""Physics engines, and the tyre model that carries vehicles."""
