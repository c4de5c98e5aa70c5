"""Images of the scene: lens, light and film, and the renderers behind one interface."""
