"""``python -m outrider`` is the same as ``outrider``: the command line from its first import."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported ends it as later on."""
    try:
        from outrider.cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("outrider: interrupted\n")
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
