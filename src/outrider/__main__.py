"""``python -m outrider`` is the same as ``outrider``."""

from outrider.cli.main import main

main()
