"""The vendor's three browser SDKs in Debian's Chromium, on a page of another origin: all calls and their results.

The results are the table in docs/sdks.md, which ``FENCEWRIGHT_WRITE_DOCS=1`` updates.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from app.api.server.server import ApiServer
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.clients.chromium import MODULES, Position, browse, needs_chromium
from tests.clients.sent_fields import check_requests, logged_at
from tests.clients.shop import ROOT, shop, stock

__all__ = ["shop"]

pytestmark = [pytest.mark.slow, needs_chromium]

STATION: Final = (24.9414, 60.1719)
"""Longitude and latitude of the centre of Helsinki, in the bundled area."""

HERE: Final[Position] = {"latitude": 60.1699, "longitude": 24.9400, "accuracy": 10}
PAGE: Final = ROOT / "docs" / "sdks.md"


@dataclass(frozen=True)
class Sdk:
    """A version of the SDK: its script, and the spelling of its calls."""

    version: str
    script: Path
    load: str
    calls: str


_PROMISES = """
const sdk = {
  trackOnce: (p) => Radar.trackOnce(p), context: (p) => Radar.getContext(p), conversion: (p) => Radar.logConversion(p),
  forward: (p) => Radar.forwardGeocode(p), reverse: (p) => Radar.reverseGeocode(p), ip: () => Radar.ipGeocode(),
  autocomplete: (p) => Radar.autocomplete(p), geofences: (p) => Radar.searchGeofences(p),
  places: (p) => Radar.searchPlaces(p), validate: (p) => Radar.validateAddress(p),
  distance: (p) => Radar.distance(p), matrix: (p) => Radar.matrix(p),
  startTrip: (p) => Radar.startTrip(p), updateTrip: (p) => Radar.updateTrip(p),
  completeTrip: () => Radar.completeTrip(), cancelTrip: () => Radar.cancelTrip(),
  keepTrip: (p) => Radar.setTripOptions(p),
};
const initialize = (key, host) => Radar.initialize(key, { host });
"""

_CALLBACKS = """
const call = (name, ...given) => new Promise((resolve, reject) =>
  Radar[name](...given, (error, result) =>
    error ? reject(Object.assign(new Error(error), { told: result })) : resolve(result)));
const sdk = {
  trackOnce: (p) => call("trackOnce", p), context: (p) => call("getContext", p),
  conversion: ({ name, ...p }) => call("logConversion", { ...p, type: name, name }),
  forward: (p) => call("geocode", p), reverse: (p) => call("reverseGeocode", p), ip: () => call("ipGeocode"),
  autocomplete: (p) => call("autocomplete", p), geofences: (p) => call("searchGeofences", p),
  places: (p) => call("searchPlaces", p), validate: (p) => call("validateAddress", p),
  distance: (p) => call("getDistance", p), matrix: (p) => call("getMatrix", p),
  startTrip: (p) => call("startTrip", p), updateTrip: (p) => call("updateTrip", p, p.status),
  completeTrip: () => call("completeTrip"), cancelTrip: () => call("cancelTrip"),
  keepTrip: (p) => Radar.setTripOptions(p),
};
const initialize = (key, host) => { Radar.initialize(key); Radar.setHost(host); };
"""

_MODULE = 'import Radar from "/radar.js";'
_IMPORTS = """<script src="/maps.js"></script>
<script type="importmap">{"imports": {"maplibre-gl": "data:text/javascript,export default window.maplibregl"}}</script>
"""
"""Version 4 does not include MapLibre."""

_GLOBAL = "const Radar = window.Radar.default ?? window.Radar;"

SDKS: Final = (
    Sdk("5.2.0", MODULES / "radar-sdk-js" / "dist" / "radar.js", _MODULE, _PROMISES),
    Sdk("4.5.8", MODULES / "radar-sdk-js-4" / "dist" / "radar.js", _MODULE, _PROMISES),
    Sdk("3.7.1", MODULES / "radar-sdk-js-3" / "dist" / "radar.js", _GLOBAL, _CALLBACKS),
)

_SCRIPT: Final = """<!doctype html><meta charset="utf-8"><title>A shop</title>@CLASSIC@
<script type="module">
@LOAD@
@CALLS@
const told = {};
const attempt = async (name, act) => {
  try { told[name] = await act(); } catch (error) {
    told[name] = { failed: String(error?.message ?? error), meta: error?.response?.meta ?? error?.told?.meta };
  }
};
const store = { destinationGeofenceTag: "store", destinationGeofenceExternalId: "1" };
const near = { latitude: 60.1719, longitude: 24.9414 };
initialize("@KEY@", "@HOST@");
Radar.setUserId("ann");
await attempt("trackOnce", () => sdk.trackOnce({}));
await attempt("startTrip", () => sdk.startTrip({ externalId: "order-1", ...store, mode: "car", metadata: { car: "red" },
                                                 approachingThreshold: 0 }));
sdk.keepTrip({ externalId: "order-1", ...store, mode: "car" });
await attempt("trackOnTrip", () => sdk.trackOnce({}));
await attempt("updateTrip",
  () => sdk.updateTrip({ externalId: "order-1", ...store, mode: "foot", metadata: { car: "blue" } }));
await attempt("completeTrip", () => sdk.completeTrip());
await attempt("startSecond", () => sdk.startTrip({ externalId: "order-2", ...store, mode: "bike" }));
sdk.keepTrip({ externalId: "order-2", ...store });
await attempt("cancelTrip", () => sdk.cancelTrip());
await attempt("conversion", () => sdk.conversion({ name: "bought", revenue: 9.5, metadata: { sku: "a" } }));
await attempt("context", () => sdk.context(near));
await attempt("forward", () => sdk.forward({ query: "Mannerheimintie 10, Helsinki" }));
await attempt("reverse", () => sdk.reverse(near));
await attempt("ip", () => sdk.ip());
await attempt("autocomplete", () => sdk.autocomplete({ query: "manner", near, limit: 5, sessionToken: "a" }));
await attempt("geofences", () => sdk.geofences({ near, radius: 1000, tags: ["store"], limit: 5 }));
await attempt("places", () => sdk.places({ near, radius: 1000, categories: ["food-beverage"], limit: 5 }));
const postal = { city: "New York", stateCode: "NY", postalCode: "10003", countryCode: "US" };
await attempt("validate", () => sdk.validate({ ...postal, street: "Broadway", number: "841" }));
const [there, units] = [{ latitude: 60.1699, longitude: 24.94 }, "metric"];
await attempt("distance", () => sdk.distance({ origin: near, destination: there, modes: ["foot"], units }));
await attempt("matrix", () => sdk.matrix({ origins: [near], destinations: [there], mode: "foot", units }));
console.log("result:" + JSON.stringify(told));
</script>
"""


def _page(sdk: Sdk) -> str:
    classic = '<script src="/radar.js"></script>' if sdk.load == _GLOBAL else _IMPORTS
    return _SCRIPT.replace("@CLASSIC@", classic).replace("@LOAD@", sdk.load).replace("@CALLS@", sdk.calls)


@pytest.fixture(scope="module")
def results() -> dict[str, dict[str, Any]]:
    """The results of each version, by the name of the call, filled in by the tests."""
    return {}


@pytest.fixture(params=SDKS, ids=lambda sdk: sdk.version)
def result(request: pytest.FixtureRequest, shop: str, results: dict[str, dict[str, Any]]) -> dict[str, Any]:
    sdk: Sdk = request.param
    with Engine.open(":memory:") as engine:
        engine.settings.change(Environment.TEST, SettingsChange(rate_limit=False))
        engine.geofences.create(
            Environment.TEST,
            GeofenceChange(
                tag="store", external_id="1", description="Store", type="circle", coordinates=STATION, size=60
            ),
        )
        with ApiServer(engine, port=0) as server:
            files = {"/radar.js": sdk.script, "/maps.js": MODULES / "maplibre-gl" / "dist" / "maplibre-gl.js"}
            stock(_page(sdk), engine, server.url, files)
            seen = browse(f"{shop}/", geolocation=HERE)
            seen.result.update(version=sdk.version, requests=logged_at(server, engine))
    assert not seen.errors, seen.errors
    results[sdk.version] = seen.result
    result: dict[str, Any] = seen.result
    return result


def test_every_call_returns_its_answer(result: dict[str, Any]) -> None:
    failed = {name: each for name, each in result.items() if isinstance(each, dict) and "failed" in each}
    assert not failed, failed
    _check_tracking(result)
    _check_trips(result)
    _check_searches(result)
    check_requests(result["version"], result["requests"])


_CALLS: Final = {
    "track once": ("trackOnce", "trackOnTrip"),
    "trips: start, update, complete, cancel": ("startTrip", "updateTrip", "completeTrip", "cancelTrip"),
    "conversions": ("conversion",),
    "context": ("context",),
    "geocode: forward, reverse, IP": ("forward", "reverse", "ip"),
    "autocomplete": ("autocomplete",),
    "search: geofences, places": ("geofences", "places"),
    "validate an address": ("validate",),
    "distance, matrix": ("distance", "matrix"),
}


def test_the_page_contains_the_results_of_this_run(results: dict[str, dict[str, Any]]) -> None:
    if set(results) != {sdk.version for sdk in SDKS}:
        pytest.skip("only some versions were asked")
    versions = [sdk.version for sdk in SDKS]
    rows = ["| call | " + " | ".join(f"`radar-sdk-js` {version}" for version in versions) + " |", "|---|---|---|---|"]
    for title, calls in _CALLS.items():
        cells = [
            "yes" if all("failed" not in results[version][call] for call in calls) else "no" for version in versions
        ]
        rows.append(f"| {title} | {' | '.join(cells)} |")
    table = "\n".join(rows)
    before, mark, _ = PAGE.read_text(encoding="utf-8").partition("| call |")
    assert mark
    if os.environ.get("FENCEWRIGHT_WRITE_DOCS"):
        PAGE.write_text(f"{before}{table}\n", encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == f"{before}{table}\n"


def _check_tracking(result: dict[str, Any]) -> None:
    user = result["trackOnce"]["user"]
    assert user["userId"] == "ann"
    assert user["location"]["coordinates"] == pytest.approx([HERE["longitude"], HERE["latitude"]])
    event = result["conversion"]["event"]
    assert (event["type"], event["metadata"]["sku"]) == ("bought", "a")
    context = result["context"].get("context", result["context"])
    assert [geofence["tag"] for geofence in context["geofences"]] == ["store"]


def _check_trips(result: dict[str, Any]) -> None:
    started = result["startTrip"]["trip"]
    assert (started["status"], started["externalId"], started["metadata"]) == ("pending", "order-1", {"car": "red"})
    on_trip = result["trackOnTrip"]
    assert on_trip["user"]["trip"]["_id"] == started["_id"]
    assert on_trip["user"]["trip"]["status"] == "started"
    assert {"distance", "duration"} <= on_trip["user"]["trip"]["eta"].keys()
    assert "user.started_trip" in [event["type"] for event in on_trip["events"]]
    updated = result["updateTrip"]
    assert (updated["trip"]["mode"], updated["trip"]["metadata"]) == ("foot", {"car": "blue"})
    assert [event["type"] for event in updated["events"]] == ["user.updated_trip"]
    assert result["completeTrip"]["trip"]["status"] == "completed"
    assert [event["type"] for event in result["completeTrip"]["events"]] == ["user.stopped_trip"]
    assert result["cancelTrip"]["trip"]["status"] == "canceled"


def _check_searches(result: dict[str, Any]) -> None:
    assert result["forward"]["addresses"][0]["street"] == "Mannerheimintie"
    assert result["reverse"]["addresses"][0]["countryCode"] == "FI"
    assert result["ip"]["address"]["countryCode"] == "FI"
    assert any("Mannerheim" in each["formattedAddress"] for each in result["autocomplete"]["addresses"])
    assert [geofence["externalId"] for geofence in result["geofences"]["geofences"]] == ["1"]
    assert all("food-beverage" in place["categories"] for place in result["places"]["places"])
    assert result["places"]["places"]
    assert "verificationStatus" in result["validate"]["result"]
    assert result["distance"]["routes"]["foot"]["distance"]["value"] > 100
    assert result["matrix"]["matrix"][0][0]["distance"]["value"] > 100
