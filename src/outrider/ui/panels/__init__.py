"""The page: one file per panel."""
