"""A document as Markdown, with its figures as separate files."""

import re
from pathlib import Path
from urllib.parse import quote

from outrider.evaluation.report import document as doc

_MARKUP = re.compile(r"[\\`\[\]<|]")


def markdown(document: doc.Document, folder: Path) -> str:
    """Return the text; image paths are relative to its folder."""
    return "\n\n".join(_block(block, folder) for block in document) + "\n"


def _block(block: doc.Block, folder: Path) -> str:
    match block:
        case doc.Heading(text, level):
            return f"{'#' * level} {_escaped(text)}"
        case doc.Paragraph(text, note):
            return f"> {_escaped(text)}" if note else _escaped(text)
        case doc.Cards(cards):
            return "\n".join(_card(card) for card in cards)
        case doc.Table():
            return _table(block)
        case doc.ReportImage(path, caption):
            shown = _escaped(caption)
            return f"![{shown}]({quote(path.relative_to(folder).as_posix())})\n\n*{shown}*"
        case doc.Code(text, summary):
            head = f"{_escaped(summary)}:\n\n" if summary else ""
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
            return f"{head}{fence}\n{text.rstrip()}\n{fence}"


def _card(card: doc.Card) -> str:
    label, value, hint = map(_escaped, (card.label, card.value, card.hint))
    return f"- **{label}**: {value} {hint}".rstrip()


def _table(table: doc.Table) -> str:
    heads = list(table.heads)
    if table.spans:
        upper = [text for text, width in table.spans for _ in range(width)]
        heads = [f"{a}: {b}" if a and b else b for a, b in zip(upper, heads, strict=True)]
    lines = [f"**{_escaped(table.caption)}**\n"] if table.caption else []
    lines.append(f"| {' | '.join(map(_escaped, heads))} |")
    marks = ["---" if i in table.text_columns else "---:" for i in range(len(heads))]
    lines.append(f"|{'|'.join(marks)}|")
    lines += [f"| {' | '.join(map(_escaped, row))} |" for row in table.rows]
    return "\n".join(lines)


def _escaped(text: str) -> str:
    """Return a text on one line that is shown as it is: no markup, links or pictures."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.splitlines()))
