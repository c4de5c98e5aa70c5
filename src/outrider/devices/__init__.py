"""Serial devices with the protocols of the real ones, on ports that any program can open."""
