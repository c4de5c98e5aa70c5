"""rosbridge v2: the simulation for web pages and for any language that has a WebSocket."""

PUBLIC = ("bridge", "encoding.encode")
