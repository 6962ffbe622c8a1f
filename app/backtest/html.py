"""Parts of the pages of a report: tables that are cut, cards, bars and chips. All text in them is escaped."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Final

from app.backtest.formats import RECORD
from engine.domain.words import count

MAX_ROWS: Final = 100
"""Maximum number of rows of a table."""

type Row = Sequence[str]
"""The cells of a row, as HTML."""


def table(heads: Sequence[str], rows: Iterable[Row], total: int | None = None) -> str:
    """Return a table with at most `MAX_ROWS` rows. A heading that begins with # is that of a numeric column.

    `total` is the number of all rows if `rows` has only the first of them.
    """
    cells = list(rows)
    head = "".join(f"<th{_class(each)}>{escape(each.lstrip('#'))}</th>" for each in heads)
    lines = (
        "".join(f"<td{_class(name)}>{cell}</td>" for name, cell in zip(heads, row, strict=True))
        for row in cells[:MAX_ROWS]
    )
    body = "\n".join(f"<tr>{line}</tr>" for line in lines) or f'<tr><td colspan="{len(heads)}">None.</td></tr>'
    more = max(total or 0, len(cells)) - min(len(cells), MAX_ROWS)
    return (
        f'<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>'
        f"{_more(more)}"
    )


def _class(head: str) -> str:
    return ' class="number"' if head.startswith("#") else ""


def _more(number: int) -> str:
    return f'<p class="more">and {number:,} more: see {RECORD}</p>' if number else ""


def chips(names: Sequence[str], total: int | None = None) -> str:
    """Return names side by side, at most `MAX_ROWS`; `total` is their number if `names` has only the first of them."""
    shown = names[:MAX_ROWS]
    listed = "".join(f"<code>{escape(name)}</code>" for name in shown)
    return f'<div class="chips">{listed}</div>{_more(max(total or 0, len(names)) - len(shown))}' if shown else ""


def card(title: str, value: str, detail: str = "", kind: str = "") -> str:
    """Return a card with a headline figure; `kind` is the class of its colour."""
    of = f" <span>{escape(detail)}</span>" if detail else ""
    return f'<div class="card {kind}"><small>{escape(title)}</small><b>{escape(value)}{of}</b></div>'


def cards(found: Iterable[str]) -> str:
    """Return cards side by side."""
    return f'<div class="cards">{"".join(found)}</div>'


def stacked(parts: Iterable[tuple[str, int, str]]) -> str:
    """Return a bar of parts by their shares, with a legend: the title of each part, its number and its class."""
    found = list(parts)
    total = sum(number for _, number, _ in found) or 1
    bar = "".join(f'<i class="{kind}" style="width:{100 * number / total:.2f}%"></i>' for _, number, kind in found)
    legend = "".join(
        f'<span><i class="{kind}"></i>{escape(title)} <b>{number:,}</b> {share(number, total)}</span>'
        for title, number, kind in found
    )
    return f'<div class="stacked">{bar}</div><div class="legend">{legend}</div>'


def figure(title: str, content: str) -> str:
    """Return a box with a title."""
    return f'<div class="box"><h3>{escape(title)}</h3>{content}</div>'


def share(number: int, total: int) -> str:
    """Return a share as a percentage."""
    return f"{number / total:.1%}" if total else "-"


def moment(at: datetime | None) -> str:
    """Return a moment in UTC, to the second."""
    return "-" if at is None else f"{at:%Y-%m-%d %H:%M:%S}"


def paragraphs(texts: Iterable[str]) -> Iterator[str]:
    """Yield each text as a paragraph."""
    return (f"<p>{escape(text)}</p>" for text in texts)


def numbered(number: int, noun: str, nouns: str = "") -> str:
    """Return a number with its noun, escaped."""
    return escape(count(number, noun, nouns))
