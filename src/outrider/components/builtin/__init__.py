"""Components that need no code of one's own: one file each."""

PUBLIC = ()
