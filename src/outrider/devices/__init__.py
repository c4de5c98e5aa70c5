"""Devices that speak on serial lines, as the real ones do: any program can open them."""
