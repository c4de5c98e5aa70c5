"""A document as Markdown, with its figures as separate files."""

from pathlib import Path

from outrider.evaluation.report import document as doc


def markdown(document: doc.Document, folder: Path) -> str:
    """Return the text; image paths are relative to its folder."""
    return "\n\n".join(_block(block, folder) for block in document) + "\n"


def _block(block: doc.Block, folder: Path) -> str:
    match block:
        case doc.Heading(text, level):
            return f"{'#' * level} {text}"
        case doc.Paragraph(text, note):
            return f"> {text}" if note else text
        case doc.Cards(cards):
            lines = [f"- **{card.label}**: {card.value} {card.hint}".rstrip() for card in cards]
            return "\n".join(lines)
        case doc.Table():
            return _table(block)
        case doc.ReportImage(path, caption):
            return f"![{caption}]({path.relative_to(folder).as_posix()})\n\n*{caption}*"
        case doc.Code(text, summary):
            head = f"{summary}:\n\n" if summary else ""
            return f"{head}```\n{text.rstrip()}\n```"


def _table(table: doc.Table) -> str:
    heads = list(table.heads)
    if table.spans:
        upper = [text for text, width in table.spans for _ in range(width)]
        heads = [f"{a}: {b}" if a and b else b for a, b in zip(upper, heads, strict=True)]
    lines = [f"**{table.caption}**\n"] if table.caption else []
    lines.append(f"| {' | '.join(map(_escaped, heads))} |")
    marks = ["---" if i in table.text_columns else "---:" for i in range(len(heads))]
    lines.append(f"|{'|'.join(marks)}|")
    lines += [f"| {' | '.join(map(_escaped, row))} |" for row in table.rows]
    return "\n".join(lines)


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
