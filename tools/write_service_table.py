"""Write the table of services into docs/control.md: ``python tools/write_service_table.py``."""

import re
from pathlib import Path

from outrider.messages.services.listing import markdown

PAGE = Path(__file__).resolve().parents[1] / "docs" / "control.md"


def main() -> None:
    """Put the table between its two marks."""
    text = PAGE.read_text(encoding="utf-8")
    marks = r"(<!-- services -->\n).*?(<!-- end -->)"
    PAGE.write_text(
        re.sub(marks, lambda m: m[1] + markdown() + m[2], text, flags=re.DOTALL), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
