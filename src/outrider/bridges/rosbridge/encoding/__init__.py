"""Message encodings of clients: JSON, CBOR, PNG, raw bytes; whole or in fragments."""

PUBLIC = ("cbor", "encode", "forms", "fragments", "frames", "plain", "png", "reading")
