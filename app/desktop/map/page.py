"""The map's page, written by folium, with Leaflet, Geoman and our own code from the private scheme."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from folium import Map

_OWN = "fencewright://map"
_NONCE = "FENCEWRIGHT-NONCE"
_POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src 'nonce-{_NONCE}'",
        f"style-src 'nonce-{_NONCE}'",
        f"img-src {_OWN} data: https://tile.openstreetmap.org",
        f"connect-src {_OWN}",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
_CODE = re.compile(r'<(script|style|link rel="stylesheet")(?=[\s>])')
_SCRIPTS = [
    ("leaflet", f"{_OWN}/assets/leaflet/leaflet.js"),
    ("geoman", f"{_OWN}/assets/leaflet-geoman/leaflet-geoman.min.js"),
    ("protomaps", f"{_OWN}/assets/protomaps-leaflet/protomaps-leaflet.js"),
    ("qwebchannel", f"{_OWN}/qwebchannel.js"),
]
_STYLES = [
    ("leaflet_css", f"{_OWN}/assets/leaflet/leaflet.css"),
    ("geoman_css", f"{_OWN}/assets/leaflet-geoman/leaflet-geoman.css"),
    ("map_css", f"{_OWN}/code/map.css"),
]


def new_map() -> Map:
    """Return a folium map that loads from our scheme only and leaves keys, animation and limits to us."""
    # folium takes a second to import, during which the window is already shown.
    import folium

    class FencewrightMap(folium.Map):
        """folium's map without its content delivery networks."""

        default_js = _SCRIPTS
        default_css = _STYLES

    map_ = FencewrightMap(
        location=(25.0, 10.0),
        zoom_start=2,
        tiles=None,
        zoom_control="bottomright",
        font_size="12px",
        # The window handles the keyboard with its shortcuts; Leaflet would move the map on the arrow keys.
        keyboard=False,
        attribution_control=True,
        # Fading would leave half-transparent tiles in pictures of the map.
        fade_animation=False,
        world_copy_jump=True,
        max_bounds=True,
        min_lat=-85.06,
        max_lat=85.06,
        min_lon=-1e6,
        max_lon=1e6,
        max_bounds_viscosity=1.0,
    )
    # folium passes these to its tile layer only, and this map has none.
    map_.options.update(min_zoom=2, max_zoom=20)
    return map_


def inputs_of_page() -> bytes:
    """Return the inputs of the page's template: this code and folium."""
    return Path(__file__).read_bytes() + f"{version('folium')} {version('branca')} {version('jinja2')}".encode()


def page_from(template: bytes) -> bytes:
    """Return the page as HTML with a fresh nonce, so that only the scripts and styles written here run."""
    return template.replace(_NONCE.encode(), token_urlsafe(16).encode())


def write_template() -> bytes:
    """Return the page as written by folium, without its nonce."""
    from branca.element import Element, Figure

    map_ = new_map()
    root = map_.get_root()
    assert isinstance(root, Figure)
    root.title = "Map"
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    root.header.add_child(Element(policy), name="policy", index=0)
    root.header.add_child(Element(f'<script type="module" src="{_OWN}/code/main.js"></script>'), name="fencewright")
    # The page contains only folium's code and ours, no user input.
    return _CODE.sub(rf'<\1 nonce="{_NONCE}"', str(root.render())).encode()
