"""Pages of a web shop that make every call of a client, in Chromium, with a real server."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.clients.answers import HERE, Answers, failures
from tests.clients.chromium import MODULES, PageRequest, browse
from tests.clients.served import Served, served
from tests.clients.shop import ROOT, open_shop, shelve

CALLS_FILE: Final = ROOT / "tests" / "clients" / "pages" / "calls.mjs"

_PAGE: Final = """<!doctype html><meta charset="utf-8"><title>A shop</title>@HEAD@
<script type="module">
import { Record, callAll, methodsOf } from "/calls.mjs";
@LOAD@
const record = new Record(@OFFERED@);
const Radar = record.of(Loaded);
const sdk = { @SDK@ };
@BEFORE@
await callAll(sdk, record);
@AFTER@
</script>
"""


@dataclass(frozen=True)
class ClientPage:
    """A page of a client, in parts of JavaScript.

    `load` defines the client as `Loaded`, and `offered` are the names of its methods. `sdk` are its spellings of the
    calls in pages/calls.mjs. `before` initializes it, and `after` makes the other calls and reports.
    """

    load: str
    sdk: str
    before: str
    after: str
    files: Mapping[str, Path]
    offered: str = "methodsOf(Loaded)"
    head: str = ""


@dataclass(frozen=True)
class Visit:
    """A visit of a page: the methods offered and called, the answers, the other results, and all requests.

    `requests` are those of the browser, and `logged` those that the server received, as its request log has them.
    """

    offered: list[str]
    called: list[str]
    answers: Answers
    more: dict[str, Any]
    requests: list[PageRequest]
    logged: list[dict[str, Any]]

    @property
    def failed(self) -> Answers:
        """The calls that failed."""
        return failures(self.answers)

    def operations(self) -> set[str]:
        """Return the method and path of each request that the server received, except CORS preflights."""
        return {
            f"{each['method']} {each['path'].partition('?')[0]}" for each in self.logged if each["method"] != "OPTIONS"
        }


def visit(page: ClientPage, home: Path) -> Visit:
    """Open the page of a client with a server that has a store, and return the outcome."""
    with served(home) as server, open_shop() as shop:
        server.add_store()
        server.forget_requests()
        return visit_at(page, server, shop)


def visit_at(page: ClientPage, server: Served, shop: str) -> Visit:
    """Open the page of a client with this server, and return the outcome."""
    parts = {"HEAD": page.head, "LOAD": page.load, "OFFERED": page.offered, "SDK": page.sdk}
    text = _PAGE
    for name, part in {**parts, "BEFORE": page.before, "AFTER": page.after}.items():
        text = text.replace(f"@{name}@", part)
    shelve(text, server.publishable, server.url, {"/calls.mjs": CALLS_FILE, **page.files})
    seen = browse(f"{shop}/", geolocation=HERE)
    assert not seen.errors, (seen.errors, seen.console)
    result = dict(seen.result)
    return Visit(
        offered=result.pop("offered"),
        called=result.pop("called"),
        answers=result.pop("answers"),
        more=result,
        requests=seen.requests,
        logged=server.logged(),
    )


PROMISES: Final = """
  trackOnce: (p) => Radar.trackOnce(p), context: (p) => Radar.getContext(p), conversion: (p) => Radar.logConversion(p),
  forward: (p) => Radar.forwardGeocode(p), reverse: (p) => Radar.reverseGeocode(p), ip: () => Radar.ipGeocode(),
  autocomplete: (p) => Radar.autocomplete(p), geofences: (p) => Radar.searchGeofences(p),
  places: (p) => Radar.searchPlaces(p), validate: (p) => Radar.validateAddress(p),
  distance: (p) => Radar.distance(p), matrix: (p) => Radar.matrix(p),
  startTrip: (p) => Radar.startTrip(p), updateTrip: (p) => Radar.updateTrip(p),
  completeTrip: () => Radar.completeTrip(), cancelTrip: () => Radar.cancelTrip(),
  keepTrip: (p) => Radar.setTripOptions(p),
"""

CALLBACKS: Final = """
  trackOnce: (p) => call("trackOnce", p), context: (p) => call("getContext", p),
  conversion: ({ name, ...p }) => call("logConversion", { ...p, type: name, name }),
  forward: (p) => call("geocode", p), reverse: (p) => call("reverseGeocode", p), ip: () => call("ipGeocode"),
  autocomplete: (p) => call("autocomplete", p), geofences: (p) => call("searchGeofences", p),
  places: (p) => call("searchPlaces", p), validate: (p) => call("validateAddress", p),
  distance: (p) => call("getDistance", p), matrix: (p) => call("getMatrix", p),
  startTrip: (p) => call("startTrip", p), updateTrip: (p) => call("updateTrip", p, p.status),
  completeTrip: () => call("completeTrip"), cancelTrip: () => call("cancelTrip"),
  keepTrip: (p) => Radar.setTripOptions(p),
"""

_CALL: Final = """
const call = (name, ...given) => new Promise((resolve, reject) =>
  Radar[name](...given, (error, result) =>
    error ? reject(Object.assign(new Error(error), { result })) : resolve(result)));
"""

# Version 4 does not include MapLibre.
_WITH_MAPLIBRE: Final = """<script src="/maps.js"></script>
<script type="importmap">{"imports": {"maplibre-gl": "data:text/javascript,export default window.maplibregl"}}</script>
"""
_IDENTITY: Final = """
Radar.setUserId("ann");
Radar.setDescription("Ann");
Radar.setMetadata({ plan: "gold" });
"""
_SET_UP: Final = f"""
const errors = [];
Radar.onError((error) => errors.push(error.name));
Radar.initialize("@KEY@", {{ host: "@HOST@" }});
Radar.setProduct("shop");
{_IDENTITY}
"""
_LEFT: Final = """
const options = Radar.getTripOptions() ?? null;
Radar.setTripOptions({ externalId: "order-3" });
const kept = Radar.getTripOptions();
Radar.clearTripOptions();
const cleared = Radar.getTripOptions() ?? null;
await window.moveTo({ latitude: 60.1699, longitude: 24.94, accuracy: 10 });
const { latitude, longitude } = await locate();
"""
_OWN: Final = "const locate = () => Radar.getLocation();"
_REPORT: Final = "record.report({ options, kept, cleared, located: [latitude, longitude], errors, verified });"
_NO_VERIFIED: Final = "const verified = {};"

# Verified tracking is only in version 4; version 5 has it in a plugin.
_VERIFIED: Final = """
const verified = {};
const fails = async (name, act) => {
  try { verified[name] = await act() ?? null; } catch (error) { verified[name] = error.name; }
};
Radar.setExpectedJurisdiction("FI", "18");
Radar.onTokenUpdated(() => { verified.token = true; });
await fails("trackVerified", () => Radar.trackVerified());
await fails("getVerifiedLocationToken", () => Radar.getVerifiedLocationToken());
Radar.startTrackingVerified({ interval: 600 });
Radar.stopTrackingVerified();
Radar.clearVerifiedLocationToken();
"""

_MODULE: Final = 'import Loaded from "/radar.js";'


def _script(folder: str) -> Mapping[str, Path]:
    return {"/radar.js": MODULES / folder / "dist" / "radar.js"}


VERSION_5: Final = ClientPage(
    load=_MODULE,
    sdk=PROMISES,
    before=_SET_UP,
    after="".join([_OWN, _LEFT, 'Radar.registerPlugin({ name: "none", version: "1", install: () => {} });'])
    + f"{_NO_VERIFIED}Radar.clear();{_REPORT}",
    files=_script("radar-sdk-js"),
)
VERSION_4: Final = ClientPage(
    head=_WITH_MAPLIBRE,
    load=_MODULE,
    sdk=PROMISES,
    before=_SET_UP,
    after=f"{_OWN}{_LEFT}{_VERIFIED}Radar.clear();{_REPORT}",
    files={**_script("radar-sdk-js-4"), "/maps.js": MODULES / "maplibre-gl" / "dist" / "maplibre-gl.js"},
)
VERSION_3: Final = ClientPage(
    head='<script src="/radar.js"></script>',
    load="const Loaded = window.Radar.default ?? window.Radar;",
    sdk=CALLBACKS,
    before=f"""
{_CALL}
const errors = [];
Radar.initialize("@KEY@");
Radar.setHost("@HOST@");
Radar.setDeviceId("web-1", "install-1");
Radar.setDeviceType("Web");
Radar.setRequestHeaders({{ "X-Shop": "1" }});
{_IDENTITY}
""",
    after=f"""
const locate = async () => (await call("getLocation")).location;
{_LEFT}{_NO_VERIFIED}{_REPORT}
""",
    files=_script("radar-sdk-js-3"),
)
