"""``/openapi.json`` and ``/docs``: the API documentation, readable offline."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

import orjson
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from app import __version__
from app.api.http.lanes import Once
from app.api.http.responses import PartedResponse
from app.api.server.examples import add_examples, read_examples
from app.api.server.openapi import Node, openapi_document
from app.api.v1 import RESOURCES
from engine.domain.errors import NotFound

ASSETS: Final = Path(__file__).parents[3] / "resources" / "web" / "assets" / "swagger-ui"
"""Directory created by the build; without it the page still lists every operation."""

DOCS: Final = "/docs"
DOCUMENT: Final = "/openapi.json"

_ROOT: Final = Path(__file__).parents[3]
NOT_SERVED: Final = (_ROOT / "docs" / "not-served.md", _ROOT / "resources" / "docs" / "not-served.md")
"""Paths in a checkout and in an installed package."""

JAVASCRIPT: Final = "text/javascript; charset=utf-8"
STYLES: Final = "text/css; charset=utf-8"
HTML: Final = "text/html; charset=utf-8"
FILES: Final = {"swagger-ui.css": STYLES, "swagger-ui-bundle.js": JAVASCRIPT}

_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        # The arrows and icons of Swagger UI are images within its styles.
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
GUARDED: Final = {
    "content-security-policy": _POLICY,
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
}
"""Security headers of the page: it loads only from this origin and cannot be framed."""

LOOK: Final = b"""\
body { margin: 0 auto; max-width: 60em; font-family: sans-serif; }
td, th { padding: 0.3em 0.6em; text-align: left; vertical-align: top; }
"""

START: Final = b"""\
if (window.SwaggerUIBundle) {
  SwaggerUIBundle({url: "/openapi.json", dom_id: "#interface", deepLinking: true, validatorUrl: null});
}
"""

PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fencewright: the /v1 interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<div id="interface">
<h1>Fencewright: the /v1 interface</h1>
<p>The OpenAPI document is <a href="/openapi.json">/openapi.json</a>. Parts of the specification that are
<a href="/docs/not-served">not served</a> have a page of their own.</p>
<table>
{rows}
</table>
</div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""


TEXT_PAGE: Final = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fencewright: what is not served</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
{text}
<p><a href="/docs">The /v1 interface</a></p>
</body>
</html>
"""

_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_CODE: Final = re.compile(r"`([^`]*)`")
_RULE: Final = re.compile(r"\|[-|]+\|")


@lru_cache(maxsize=1)
def document() -> Node:
    """Return the OpenAPI document of this version."""
    return add_examples(openapi_document(RESOURCES, __version__), read_examples())


@lru_cache(maxsize=1)
def page() -> bytes:
    """Return the page: a plain list of the operations, which Swagger UI replaces if scripts are enabled."""
    rows = (
        f"<tr><td><code>{method} {escape(resource.path)}</code></td><td>{escape(operation.summary)}</td></tr>"
        for resource in RESOURCES
        for method, operation in resource.operations.items()
    )
    return PAGE.replace("{rows}", "\n".join(rows)).encode()


@lru_cache(maxsize=1)
def document_in_json() -> bytes:
    """Return the document as sent; clients that are still receiving it share these bytes."""
    return orjson.dumps(document())


def document_route() -> Route:
    """Return the route of the document, which is generated in a thread because it takes long."""
    made = Once(document_in_json)

    async def serve_document(_request: Request) -> Response:
        return PartedResponse(await made.get(), media_type="application/json")

    return Route(DOCUMENT, serve_document)


async def serve_page(_request: Request) -> Response:
    """Return the page."""
    return PartedResponse(page(), media_type=HTML, headers=GUARDED)


@lru_cache(maxsize=1)
def not_served_text() -> str:
    """Return the list of unserved parts of the specification in Markdown, or an empty text if the file is missing."""
    return next((file.read_text(encoding="utf-8") for file in NOT_SERVED if file.is_file()), "")


@lru_cache(maxsize=1)
def not_served_page() -> bytes:
    """Return the page that lists the unserved parts of the specification."""
    return TEXT_PAGE.replace("{text}", page_of(not_served_text())).encode()


async def serve_not_served(_request: Request) -> Response:
    """Return the page of unserved parts of the specification."""
    return PartedResponse(not_served_page(), media_type=HTML, headers=GUARDED)


async def serve_look(_request: Request) -> Response:
    """Return the styles of the page itself."""
    return PartedResponse(LOOK, media_type=STYLES, headers=GUARDED)


async def serve_start(_request: Request) -> Response:
    """Return the script that starts Swagger UI."""
    return PartedResponse(START, media_type=JAVASCRIPT, headers=GUARDED)


async def serve_file(request: Request) -> Response:
    """Return one of Swagger UI's own files."""
    name = request.scope["path"].rpartition("/")[2]
    try:
        content = _content(name)
    except OSError:
        raise NotFound("path", f"{name} is missing: the web assets have not been built.") from None
    return PartedResponse(content, media_type=FILES[name], headers=GUARDED)


@cache
def _content(name: str) -> bytes:
    """Return the content of a file, which all clients share."""
    return (ASSETS / name).read_bytes()


def documentation_routes() -> list[Route]:
    """Return the routes of the document and the page."""
    return [
        document_route(),
        Route(DOCS, serve_page),
        Route("/docs/not-served", serve_not_served),
        Route("/docs/page.css", serve_look),
        Route("/docs/start.js", serve_start),
        *(Route(f"/docs/{name}", serve_file) for name in FILES),
    ]


def page_of(text: str) -> str:
    """Return headings, paragraphs and tables of Markdown as HTML; links to other files become plain text."""
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
    # The marks of generated tables are comments.
    if not line.strip() or line.startswith("<!--"):
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
