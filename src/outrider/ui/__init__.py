"""The browser editor: see a running simulation, drive it, change it, save it."""
