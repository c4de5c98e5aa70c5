"""Serial devices that speak the protocols of the real ones: any program can open their ports."""
