"""What exists, as constants, and how it is now, as arrays."""
