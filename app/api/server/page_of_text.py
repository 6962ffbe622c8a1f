"""A page of the documentation as HTML: the few marks of Markdown that it uses, and nothing else."""

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby
from typing import Final

_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CODE: Final = re.compile(r"`([^`]*)`")
_RULE: Final = re.compile(r"\|[-|]+\|")


def page_of(text: str) -> str:
    """Return the body of a page: headings, paragraphs and tables. Links lead to other files, and become their words."""
    return "\n".join(_blocks(text.splitlines()))


def _blocks(lines: Iterable[str]) -> Iterator[str]:
    for kind, group in groupby(lines, _kind_of):
        if kind == "heading":
            for line in group:
                level = len(line) - len(line.lstrip("#"))
                yield f"<h{level}>{_inline(line[level + 1 :])}</h{level}>"
        elif kind == "table":
            yield f"<table>\n{'\n'.join(_rows(group))}\n</table>"
        elif kind == "paragraph":
            yield f"<p>{_inline(' '.join(group))}</p>"


def _kind_of(line: str) -> str:
    if not line.strip():
        return "nothing"
    return "heading" if line.startswith("#") else "table" if line.startswith("|") else "paragraph"


def _rows(lines: Iterable[str]) -> Iterator[str]:
    tag = "th"
    for line in lines:
        if _RULE.fullmatch(line):
            tag = "td"
            continue
        cells = (f"<{tag}>{_inline(cell.strip())}</{tag}>" for cell in line.strip("|").split("|"))
        yield f"<tr>{''.join(cells)}</tr>"


def _inline(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(_LINK.sub(r"\1", text)))
