"""``/openapi.json`` and ``/docs``: the interface, readable without network."""

from functools import lru_cache
from html import escape
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import orjson

from app.api.exchange import JSON_TYPE, Exchange
from app.api.openapi import Node, openapi_document
from app.api.routing import ExchangeRoute
from app.api.v1 import RESOURCES
from engine.domain.errors import NotFound

ASSETS: Final = Path(__file__).parents[2] / "resources" / "web" / "assets" / "swagger-ui"
"""Made by the build; where it is missing the page still lists every operation."""

JAVASCRIPT: Final = b"text/javascript; charset=utf-8"
STYLES: Final = b"text/css; charset=utf-8"
HTML: Final = b"text/html; charset=utf-8"
FILES: Final = {"swagger-ui.css": STYLES, "swagger-ui-bundle.js": JAVASCRIPT}

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
</head>
<body style="margin: 0 auto; max-width: 60em; font-family: sans-serif">
<div id="interface">
<h1>Fencewright: the /v1 interface</h1>
<p>The document for tools is <a href="/openapi.json">/openapi.json</a>.</p>
<table>
{rows}
</table>
</div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""


@lru_cache(maxsize=1)
def document() -> Node:
    """Return the document of this version."""
    return openapi_document(RESOURCES, _version())


def _version() -> str:
    try:
        return version("fencewright")
    except PackageNotFoundError:
        return "0"


@lru_cache(maxsize=1)
def page() -> bytes:
    """Return the page: a plain list of the operations, which Swagger UI replaces where scripts run."""
    rows = (
        f"<tr><td><code>{method} {escape(resource.path)}</code></td><td>{escape(operation.summary)}</td></tr>"
        for resource in RESOURCES
        for method, operation in resource.operations.items()
    )
    return PAGE.replace("{rows}", "\n".join(rows)).encode()


async def serve_document(exchange: Exchange) -> None:
    """Answer the document."""
    await exchange.answer(200, orjson.dumps(document()), JSON_TYPE)


async def serve_page(exchange: Exchange) -> None:
    """Answer the page."""
    await exchange.answer(200, page(), HTML)


async def serve_start(exchange: Exchange) -> None:
    """Answer the script that starts Swagger UI."""
    await exchange.answer(200, START, JAVASCRIPT)


async def serve_file(exchange: Exchange) -> None:
    """Answer one of Swagger UI's own files."""
    name = exchange.path.rpartition(b"/")[2].decode()
    try:
        content = (ASSETS / name).read_bytes()
    except OSError:
        raise NotFound("path", f"{name} is missing: the web assets have not been built.") from None
    await exchange.answer(200, content, FILES[name])


def documentation_routes() -> list[ExchangeRoute]:
    """Return the routes of the document and the page."""
    return [
        ExchangeRoute("/openapi.json", "GET", serve_document),
        ExchangeRoute("/docs", "GET", serve_page),
        ExchangeRoute("/docs/start.js", "GET", serve_start),
        *(ExchangeRoute(f"/docs/{name}", "GET", serve_file) for name in FILES),
    ]
