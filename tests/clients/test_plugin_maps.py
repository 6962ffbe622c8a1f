"""The vendor's own maps in Chromium, on a page of another origin, over the areas in use.

They are a plugin of version 5 of the SDK, which includes its own MapLibre. Version 4 contains the maps itself, and uses
any MapLibre.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from PySide6.QtGui import QColor, QImage

from app.api.server.server import ApiServer
from engine.bundled import AREAS
from engine.engine import Engine
from tests.clients.chromium import MODULES, Seen, browse, needs_chromium
from tests.clients.compatibility import Client, check_client, count
from tests.clients.sdk_pages import CALLS_FILE
from tests.clients.shop import shop, stock

__all__ = ["shop"]

pytestmark = [
    pytest.mark.slow,
    needs_chromium,
    pytest.mark.skipif(not AREAS.is_in(AREAS.folder()), reason="the bundled area has not been made"),
]

PLUGIN = {
    "/radar.js": MODULES / "radar-sdk-js/dist/radar.js",
    "/maps.js": MODULES / "@radarlabs/plugin-maps/cdn/radar-maps.js",
    "/maps.css": MODULES / "@radarlabs/plugin-maps/cdn/radar-maps.css",
    "/calls.mjs": CALLS_FILE,
}
VERSION_4 = {
    "/radar.js": MODULES / "radar-sdk-js-4/dist/radar.js",
    "/maps.js": MODULES / "maplibre-gl/dist/maplibre-gl.js",
    "/maps.css": MODULES / "maplibre-gl/dist/maplibre-gl.css",
    "/calls.mjs": CALLS_FILE,
}
LOGO = "api.radar.io"
"""Host of the plugin's logo, regardless of the configured host."""

SHOWN = "outside of areas, a map of the world; names are local"

PAGE = """\
<!doctype html><meta charset="utf-8"><title>A shop</title><link rel="stylesheet" href="/maps.css">
<script type="importmap">{"imports": {"maplibre-gl": "data:text/javascript,export default window.maplibregl"}}</script>
<style>body { margin: 0 } #map { width: 1024px; height: 768px }</style><div id="map"></div>
<script type="module">
import { Record } from "/calls.mjs";
const seen = {errors: [], missing: []};
const load = () => new Promise((resolve, reject) => {
  const script = Object.assign(document.createElement("script"), {src: "/maps.js", onload: resolve, onerror: reject});
  document.head.append(script);
});
if (@FIRST@) await load();
const {default: Radar} = await import("/radar.js");
window.Radar = Radar;
if (!@FIRST@) await load();
Radar.initialize("@KEY@", {host: "@HOST@"});
const record = new Record(Object.keys(Radar.ui).filter(name => typeof Radar.ui[name] === "function"));
const ui = record.of(Radar.ui);
const map = ui.map({container: "map", @OPTIONS@});
map.on("error", ({error}) => seen.errors.push(error.message));
map.on("styleimagemissing", ({id}) => seen.missing.push(id));
await new Promise(resolve => map.once("load", resolve));
seen.loaded = true;
const quiet = () => new Promise(resolve => map.loaded() && !map.isMoving() ? resolve() : map.once("idle", resolve));
await quiet();
const layers = {layers: map.getStyle().layers.filter(({source}) => source === "streets").map(({id}) => id)};
const drawn = map.queryRenderedFeatures(layers);
seen.drawn = [...new Set(drawn.map(({sourceLayer}) => sourceLayer))].sort();
seen.names = [...new Set(drawn.filter(({layer}) => layer.type === "symbol").map(({properties}) => properties.name))];
seen.countries = map.queryRenderedFeatures({layers: ["countries"]}).map(({properties}) => properties.name);
seen.attribution = document.querySelector(".maplibregl-ctrl-attrib").innerText;
@MORE@
record.report(seen);
</script>
"""
HELSINKI = 'style: "@STYLE@", center: [24.9443, 60.1705], zoom: 14.4'
MARKERS = """
const pins = ["red", "", "no such marker"].map((marker, at) => ui.marker(marker ? {marker} : {color: "#123456"})
  .setLngLat([24.9423 + at * 0.002, 60.1705]).addTo(map));
const image = pins[0].getElement();
const until = async holds => { while (!holds()) await new Promise(resolve => setTimeout(resolve, 20)); };
await until(() => image.querySelector("img")?.naturalWidth && pins[2].getElement().querySelector("svg"));
seen.pin = image.querySelector("img").naturalWidth;
ui.popup({text: "The station"}).setLngLat([24.9443, 60.1712]).addTo(map);
seen.popup = document.querySelector(".maplibregl-popup-content").firstChild.textContent;
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine over the bundled area."""
    with Engine.open(tmp_path_factory.mktemp("maps") / "workspace") as engine:
        yield engine


def show(
    engine: Engine,
    shop: str,
    options: str,
    picture: Path,
    *,
    more: str = "",
    host: str = "",
    files: Mapping[str, Path] = PLUGIN,
) -> Seen:
    """Return the outcome of a page with a map, of which a picture is taken."""
    with ApiServer(engine, port=0) as server:
        page = PAGE.replace("@OPTIONS@", options).replace("@MORE@", more)
        page = page.replace("@FIRST@", "true" if files is VERSION_4 else "false")
        stock(page, engine, f"{host}:{server.port}" if host else server.url, files)
        seen = browse(f"{shop}/", picture=picture)
    assert seen.result is not None, (seen.errors, seen.console, seen.failed())
    assert seen.errors == []
    assert seen.result["loaded"]
    assert (seen.result["errors"], seen.result["missing"]) == ([], [])
    assert [
        request for request in seen.failed(lambda url: urlsplit(url).hostname != LOGO) if "no%20such" not in request.url
    ] == []
    return seen


def colors(picture: Path) -> dict[str, int]:
    """Return the number of pixels of each color in a picture."""
    image = QImage(str(picture))
    counts: dict[str, int] = {}
    for x in range(0, image.width(), 2):
        for y in range(0, image.height(), 2):
            name = QColor(image.pixel(x, y)).name()
            counts[name] = counts.get(name, 0) + 1
    return counts


def statuses(seen: Seen, part: str) -> list[int | None]:
    """Return the statuses of the requests below a path."""
    return [request.status for request in seen.requests if part in request.url and request.method == "GET"]


def test_the_plugin_shows_the_streets_of_the_area(engine: Engine, shop: str, tmp_path: Path) -> None:
    picture = tmp_path / "light.png"
    seen = show(engine, shop, HELSINKI.replace("@STYLE@", "radar-default-v1"), picture, more=MARKERS)
    result: dict[str, Any] = seen.result
    assert {"buildings", "land", "roads", "street_names", "water"} <= set(result["drawn"])
    assert "Mannerheimintie" in result["names"]
    assert result["attribution"] == "Natural Earth | © OpenStreetMap contributors"
    assert (result["pin"], result["popup"]) == (32, "The station")
    assert 200 in statuses(seen, "/maps/tiles/streets/")
    assert set(statuses(seen, "/maps/glyphs/")) == {200}
    assert statuses(seen, "/maps/markers/red") == [200]
    assert statuses(seen, "/maps/markers/no%20such%20marker") == [404]
    found = colors(picture)
    assert len(found) > 200, "a blank map has a few colors"
    for of_buildings_and_streets in ("#e8e4dc", "#ffffff"):
        assert found.get(of_buildings_and_streets, 0) > 2000
    called = count(result["called"], result["offered"]) + " of `Radar.ui`"
    check_client(Client.MAPS, "Chromium", called, f"its logo is from Radar; {SHOWN}")


def test_version_4_shows_them_too(engine: Engine, shop: str, tmp_path: Path) -> None:
    picture = tmp_path / "version-4.png"
    options = HELSINKI.replace("@STYLE@", "radar-default-v1") + ', language: "en"'
    seen = show(engine, shop, options, picture, more=MARKERS, files=VERSION_4)
    assert "Mannerheimintie" in seen.result["names"]
    assert "OpenStreetMap" in seen.result["attribution"]
    assert any("language=en" in request.url for request in seen.requests)
    assert statuses(seen, "/maps/markers/red") == [200]
    assert colors(picture).get("#e8e4dc", 0) > 2000
    assert set(seen.result["called"]) == set(seen.result["offered"]) - {"autocomplete"}
    check_client(Client.MAPS_4, "Chromium", "`map`, `marker` and `popup` of `Radar.ui`", SHOWN)


def test_a_dark_map_by_another_name_of_the_host(engine: Engine, shop: str, tmp_path: Path) -> None:
    picture = tmp_path / "dark.png"
    options = HELSINKI.replace("@STYLE@", "radar-dark-v1")
    seen = show(engine, shop, options, picture, host="http://localhost")
    hosts = {urlsplit(hosts.url).hostname for hosts in seen.requests if "/maps/" in hosts.url} - {LOGO}
    assert hosts == {"localhost"}
    found = colors(picture)
    assert found.get("#28313a", 0) > 2000, "buildings"
    assert found.get("#ffffff", 0) < 1000


def test_the_world_lies_below(engine: Engine, shop: str, tmp_path: Path) -> None:
    picture = tmp_path / "world.png"
    seen = show(engine, shop, 'style: "radar-light-v1", center: [15, 30], zoom: 1.4', picture)
    assert {"Brazil", "Russia", "Australia"} & set(seen.result["countries"])
    assert set(statuses(seen, "/maps/tiles/world/")) <= {200, 204}
    found = colors(picture)
    land, sea = found["#f6f4ee"], found["#d9e4ea"]
    assert 0.15 < land / (land + sea) < 0.6
