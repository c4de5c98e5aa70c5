"""rosbridge v2: the simulation for web pages and for any language with a WebSocket."""

PUBLIC = ("bridge", "encoding.encode", "options")
