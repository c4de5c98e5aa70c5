"""A sensor for Outrider."""
