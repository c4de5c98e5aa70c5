"""A document as one self-contained HTML file."""

import base64
from html import escape
from pathlib import Path

from outrider.core.files.package_files import LIBRARY
from outrider.evaluation.report import document as doc

_TYPES = {".png": "image/png", ".svg": "image/svg+xml"}


def html(document: doc.Document, title: str) -> str:
    """Return the page."""
    style = (LIBRARY / "report" / "page.css").read_text("utf-8")
    body = "\n".join(_block(block) for block in document)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _block(block: doc.Block) -> str:
    match block:
        case doc.Heading(text, level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case doc.Paragraph(text, note):
            kind = ' class="note"' if note else ""
            return f"<p{kind}>{escape(text)}</p>"
        case doc.Cards():
            return _cards(block)
        case doc.Table():
            return _table(block)
        case doc.ReportImage(path, caption):
            return _figure(path, caption)
        case doc.Code(text, summary):
            pre = f"<pre>{escape(text.rstrip())}</pre>"
            if not summary:
                return pre
            return f"<details><summary>{escape(summary)}</summary>{pre}</details>"


def _cards(block: doc.Cards) -> str:
    marks = {True: " good", False: " bad", None: ""}
    cards = [
        f'<div class="card{marks[card.good]}"><span>{escape(card.label)}</span>'
        f"<b>{escape(card.value)}</b><small>{escape(card.hint)}</small></div>"
        for card in block.cards
    ]
    return f'<div class="cards">{"".join(cards)}</div>'


def _table(table: doc.Table) -> str:
    lines = ['<div class="scroll"><table>']
    if table.caption:
        lines.append(f"<caption>{escape(table.caption)}</caption>")
    lines.append("<thead>")
    if table.spans:
        cells = [f'<th colspan="{width}">{escape(text)}</th>' for text, width in table.spans]
        lines.append(f'<tr class="upper">{"".join(cells)}</tr>')
    if any(table.heads):
        cells = [_cell(table, -1, column, text) for column, text in enumerate(table.heads)]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    lines.append("</thead><tbody>")
    for number, row in enumerate(table.rows):
        cells = [_cell(table, number, column, text) for column, text in enumerate(row)]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "".join([*lines, "</tbody></table></div>"])


def _cell(table: doc.Table, row: int, column: int, text: str) -> str:
    kinds = ["text"] if column in table.text_columns else []
    if table.ours is not None and (column if table.ours_is_column else row) == table.ours:
        kinds.append("ours")
    mark = f' class="{" ".join(kinds)}"' if kinds else ""
    tag = "th" if row < 0 else "td"
    return f"<{tag}{mark}>{escape(text)}</{tag}>"


def _figure(path: Path, caption: str) -> str:
    data = base64.b64encode(path.read_bytes()).decode()
    source = f"data:{_TYPES[path.suffix]};base64,{data}"
    shown = escape(caption)
    return f'<figure><img src="{source}" alt="{shown}"><figcaption>{shown}</figcaption></figure>'
