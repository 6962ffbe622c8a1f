"""Imagery sources: tile servers (XYZ) and map servers (WMS), and the address of each tile."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final
from urllib.parse import SplitResult, quote, unquote_plus, urlencode, urlsplit

from msgspec import Struct

from app.desktop.language import tr
from engine.domain.errors import InvalidParameter
from engine.domain.values import replace
from engine.outbound.urls import ServerUrl

MAX_URL: Final = 2_048
MAX_NAME: Final = 100
MAX_ATTRIBUTION: Final = 300
MAX_LAYERS: Final = 1_000
MAX_ZOOM: Final = 22
LEAST_OPACITY: Final = 0.05
VERSIONS: Final = ("1.3.0", "1.1.1")
FORMATS: Final = ("image/png", "image/jpeg", "image/webp", "image/gif")

TILE_SIZES: Final = (256, 512)
"""Possible widths and heights of a server's tiles, in pixels of the map."""

_WMS_PX: Final = 256
_SUBDOMAINS: Final = "abc"
_HALF_WORLD_M: Final = math.pi * 6_378_137.0
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
_KNOWN: Final = ("z", "x", "y", "-y", "s", "r")
_OWN_QUERY: Final = (
    *("service", "request", "version", "layers", "styles", "srs", "crs", "bbox", "width", "height", "format"),
    *("transparent", "exceptions"),
)
"""Query parameters of a WMS request that override those of the base URL."""


class Kind(StrEnum):
    """The kind of a server."""

    XYZ = "xyz"
    WMS = "wms"


class ImagerySource(Struct, frozen=True):
    """A source of imagery. Its URL may contain a key, so it never appears in messages or logs.

    `layers` (comma-separated names), `version`, `image_format` and `transparent` apply to a WMS. `tile_size` applies to
    other servers: the width of a tile in pixels of the map, regardless of the pixels of its image.
    """

    id: str
    name: str
    kind: Kind
    url: str
    attribution: str
    layers: str = ""
    version: str = VERSIONS[0]
    image_format: str = FORMATS[0]
    transparent: bool = True
    min_zoom: int = 0
    max_zoom: int = 19
    opacity: float = 1.0
    shown: bool = False
    tile_size: int = TILE_SIZES[0]

    def __repr__(self) -> str:
        """Return a representation without the URL."""
        return f"ImagerySource(id={self.id!r}, name={self.name!r}, kind={self.kind!r})"


class TileAddress(Struct, frozen=True):
    """The address of one tile: its server, possibly with credentials, and the path and query."""

    server: str
    path: str
    query: str

    def __repr__(self) -> str:
        """Return a representation without the parts that may contain credentials or a key."""
        return f"TileAddress(path={self.path!r})"


def checked(source: ImagerySource) -> ImagerySource:
    """Return a source in the form in which it is stored; raises `InvalidParameter` naming the field."""
    named = replace(
        source,
        name=_line(source.name, "name", MAX_NAME),
        url=source.url.strip(),
        attribution=_line(source.attribution, "attribution", MAX_ATTRIBUTION),
        layers=",".join(filter(None, (part.strip() for part in source.layers.split(",")))),
    )
    if named.kind is Kind.XYZ:
        _check_template(named.url)
    else:
        _check_wms(named)
    if not 0 <= named.min_zoom <= named.max_zoom <= MAX_ZOOM:
        raise InvalidParameter(
            "max_zoom",
            tr("max_zoom: The zooms must be between 0 and {max_zoom}, the smallest first.", max_zoom=MAX_ZOOM),
        )
    if named.tile_size not in TILE_SIZES:
        raise InvalidParameter(
            "tile_size", tr("tile_size: Must be one of {sizes}.", sizes=", ".join(map(str, TILE_SIZES)))
        )
    if not LEAST_OPACITY <= named.opacity <= 1.0:
        raise InvalidParameter("opacity", tr("opacity: The opacity must be between 5 and 100 %."))
    return named


def host_of(source: ImagerySource) -> str:
    """Return the host as shown to users: without credentials, and with ``*`` for the subdomains."""
    return _place(urlsplit(source.url)).replace("{s}", "*")


def origin_of(source: ImagerySource) -> str:
    """Return the origin that the user consents to: the scheme, HTTP or HTTPS, and the host."""
    return f"{urlsplit(source.url).scheme.lower()}://{host_of(source)}"


def is_encrypted(source: ImagerySource) -> bool:
    """Return whether requests are encrypted, so that only the server can read them."""
    return urlsplit(source.url).scheme.lower() == "https"


def has_fine_tiles(source: ImagerySource) -> bool:
    """Return whether the source has tiles with twice the resolution for high-resolution screens."""
    return source.kind is Kind.WMS or "{r}" in source.url


def address_of(source: ImagerySource, zoom: int, x: int, y: int, *, fine: bool = False) -> TileAddress:
    """Return the address of a tile, with twice the resolution if `fine`; raises `ValueError` if it does not exist."""
    side = 1 << zoom
    if not (0 <= zoom <= MAX_ZOOM and 0 <= x < side and 0 <= y < side):
        raise ValueError("no such tile")
    if source.kind is Kind.XYZ:
        subdomain = _SUBDOMAINS[(x + y) % len(_SUBDOMAINS)]
        fill = {"z": zoom, "x": x, "y": y, "-y": side - 1 - y, "s": subdomain, "r": "@2x" if fine else ""}
        return _address(urlsplit(_PLACEHOLDER.sub(lambda found: str(fill[found[1]]), source.url)))
    size = 2.0 * _HALF_WORLD_M / side
    west, north = x * size - _HALF_WORLD_M, _HALF_WORLD_M - y * size
    pixels = str(_WMS_PX * 2 if fine else _WMS_PX)
    reference = "crs" if source.version == "1.3.0" else "srs"
    return _wms_address(
        source.url,
        {
            "service": "WMS",
            "request": "GetMap",
            "version": source.version,
            "layers": source.layers,
            # One empty style per layer selects its default.
            "styles": "," * source.layers.count(","),
            reference: "EPSG:3857",
            "bbox": ",".join(f"{edge:.6f}" for edge in (west, north - size, west + size, north)),
            "width": pixels,
            "height": pixels,
            "format": source.image_format,
            "transparent": "TRUE" if source.transparent else "FALSE",
        },
    )


def capabilities_address(url: str, version: str) -> TileAddress:
    """Return the address of a WMS capabilities document; raises `InvalidParameter` for ``url``."""
    check_server(url)
    return _wms_address(url, {"service": "WMS", "request": "GetCapabilities", "version": version})


def secrets_of(source: ImagerySource) -> tuple[str, ...]:
    """Return the parts of a source's URL that may be secret: its credentials and query values."""
    try:
        parsed = ServerUrl.parse(_PLACEHOLDER.sub("", source.url))
    except ValueError:
        return ()
    return (source.url, *parsed.secrets)


def check_server(url: str) -> SplitResult:
    """Return the parts of a server URL; raises `InvalidParameter` for ``url``."""
    if not url:
        raise _bad(tr("The URL is missing."))
    if len(url) > MAX_URL:
        raise _bad(tr("The URL must not be longer than {max_length:,} characters.", max_length=MAX_URL))
    try:
        parts = urlsplit(url)
        scheme, host = parts.scheme.lower(), parts.hostname
        is_port = parts.port != 0
    except ValueError:
        raise _bad(tr("This is not a valid URL.")) from None
    if scheme not in ("http", "https"):
        raise _bad(tr("The URL must begin with https:// or http://."))
    if not host or not is_port:
        raise _bad(tr("The URL has no valid host."))
    if parts.fragment or "#" in url:
        raise _bad(tr("The URL must not have a fragment (#…)."))
    if any(char.isspace() or not char.isprintable() or char == "\\" for char in url):
        raise _bad(tr("The URL must not contain spaces, backslashes or control characters."))
    return parts


def _check_template(url: str) -> None:
    parts = check_server(url)
    names = _PLACEHOLDER.findall(url)
    unknown = next((name for name in names if name not in _KNOWN), None)
    if unknown is not None:
        raise _bad(
            tr(
                "The template must not contain {{{placeholder}}}: only {{z}}, {{x}}, {{y}}, {{-y}}, {{s}} "
                "and {{r}} are filled in. Write a key in its place.",
                placeholder=unknown[:30],
            )
        )
    if re.search(r"[{}]", _PLACEHOLDER.sub("", url)):
        raise _bad(tr("The template has a brace that is not closed."))
    missing = [f"{{{name}}}" for name in "zx" if name not in names]
    if "y" not in names and "-y" not in names:
        missing.append(tr("{y} (or {-y} for TMS)"))
    if missing:
        raise _bad(
            tr("The template must contain {missing_placeholders}.", missing_placeholders=tr(" and ").join(missing))
        )
    inside = _PLACEHOLDER.findall(parts.netloc)
    if [name for name in inside if name != "s"]:
        raise _bad(tr("The host of the template must not depend on the tile; only {s} may be in it."))
    if "s" in names and "s" not in inside:
        raise _bad(tr("{s} is the subdomain: it must be in the host of the template."))


def _check_wms(source: ImagerySource) -> None:
    check_server(source.url)
    if re.search(r"[{}]", source.url):
        raise _bad(tr("The URL of a WMS has no placeholders. For a template, choose XYZ tiles."))
    if not source.layers:
        raise InvalidParameter(
            "layers", tr("layers: Give the name of at least one layer, or choose it from the server.")
        )
    if len(source.layers) > MAX_LAYERS:
        raise InvalidParameter(
            "layers", tr("layers: Must not be longer than {max_length:,} characters.", max_length=MAX_LAYERS)
        )
    if source.version not in VERSIONS:
        raise InvalidParameter("version", tr("version: Must be one of {versions}.", versions=", ".join(VERSIONS)))
    if source.image_format not in FORMATS:
        raise InvalidParameter(
            "image_format", tr("image_format: Must be one of {formats}.", formats=", ".join(FORMATS))
        )


def _line(text: str, param: str, longest: int) -> str:
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    if not line:
        message = (
            tr("Say whose imagery it is, such as “© Example Maps”.")
            if param == "attribution"
            else tr("Give it a name.")
        )
        raise InvalidParameter(param, f"{param}: {message}")
    if len(line) > longest:
        raise InvalidParameter(
            param,
            tr("{field_name}: Must not be longer than {max_length} characters.", field_name=param, max_length=longest),
        )
    return line


def _bad(message: str) -> InvalidParameter:
    return InvalidParameter("url", tr("url: {message}", message=message))


def _place(parts: SplitResult) -> str:
    return parts.netloc.rpartition("@")[2].lower()


def _address(parts: SplitResult) -> TileAddress:
    return TileAddress(f"{parts.scheme}://{parts.netloc}", parts.path or "/", parts.query)


def _wms_address(url: str, fields: Mapping[str, str]) -> TileAddress:
    address = _address(urlsplit(url))
    kept = [
        part
        for part in address.query.split("&")
        if part and unquote_plus(part.partition("=")[0]).lower() not in _OWN_QUERY
    ]
    own = urlencode({name.upper(): value for name, value in fields.items()}, quote_via=quote, safe=":,/")
    return replace(address, query="&".join((*kept, own)))
