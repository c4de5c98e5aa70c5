"""The built-in components, one file each."""

PUBLIC = ()
