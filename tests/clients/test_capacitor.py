"""The web layer of `capacitor-radar` in Chromium, in a bundle with `@capacitor/core`, as web builds are made."""

from typing import Final

import pytest

from tests.clients.answers import HERE, answered, check_conversion, check_searches, check_tracking
from tests.clients.bundles import bundle
from tests.clients.chromium import needs_chromium
from tests.clients.compatibility import Client, check_calls, check_client, count
from tests.clients.sdk_pages import ClientPage, Visit, visit

pytestmark = [pytest.mark.slow, needs_chromium]

ENTRY: Final = """
import * as web from "radar-sdk-js";
export { Radar } from "capacitor-radar";
export { radarPluginWeb as layer } from "capacitor-radar/dist/esm/web";
export const RadarWeb = web.default.default ?? web.default;
"""
BUNDLED: Final = {"radar-sdk-js": "./node_modules/capacitor-radar/node_modules/radar-sdk-js"}

SDK: Final = """
  trackOnce: (p) => Radar.trackOnce(p), context: (p) => Radar.getContext(p), conversion: (p) => Radar.logConversion(p),
  forward: (p) => Radar.geocode(p), reverse: (p) => Radar.reverseGeocode(p), ip: () => Radar.ipGeocode(),
  autocomplete: (p) => Radar.autocomplete(p), geofences: (p) => Radar.searchGeofences(p),
  places: (p) => Radar.searchPlaces(p), validate: (p) => Radar.validateAddress(p),
  distance: (p) => Radar.getDistance(p), matrix: (p) => Radar.getMatrix(p),
  startTrip: (options) => Radar.startTrip({ options }), updateTrip: (options) => Radar.updateTrip({ options }),
  completeTrip: () => Radar.completeTrip(), cancelTrip: () => Radar.cancelTrip(), keepTrip: () => {},
"""
BEFORE: Final = """
RadarWeb.setHost("@HOST@");
await Radar.initialize({ publishableKey: "@KEY@" });
await Radar.setUserId({ userId: "ann" });
await Radar.setDescription({ description: "Ann" });
await Radar.setMetadata({ metadata: { plan: "gold" } });
"""
AFTER: Final = """
const there = { latitude: 60.1719, longitude: 24.9414, accuracy: 5 };
await record.attempt("permissions", () => Radar.getLocationPermissionsStatus());
await record.attempt("located", () => Radar.getLocation({ desiredAccuracy: "high" }));
await record.attempt("trackHere", () => Radar.trackOnce());
await record.attempt("trackThere", () => Radar.trackOnce(there));
await record.attempt("tripOptions", () => Radar.getTripOptions());
await record.attempt("contextHere", () => Radar.getContext());
await record.attempt("reverseHere", () => Radar.reverseGeocode());
await record.attempt("reverseDocumented", () => Radar.reverseGeocode({ location: { latitude: 1, longitude: 1 } }));
await record.attempt("validateDocumented", () => Radar.validateAddress({
  address: { city: "New York", stateCode: "NY", postalCode: "10003", countryCode: "US", addressLabel: "841 Broadway" },
}));
await record.attempt("abroad", () => Radar.geocode({ query: "Mannerheimintie 10, Helsinki", countries: ["DE"] }));
const declared = {};
for (const name of ["getHost", "getPublishableKey", "isUsingRemoteTrackingOptions"]) {
  try { declared[name] = await Radar[name](); } catch (error) { declared[name] = error.message; }
}
const others = await record.others(Loaded);
record.called = new Set([...record.called].filter((name) => record.offered.includes(name)));
record.report({ declared, others });
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Visit:
    folder = tmp_path_factory.mktemp("capacitor")
    client = bundle(ENTRY, folder / "client.mjs", aliases=BUNDLED)
    page = ClientPage(
        load='import { Radar as Loaded, RadarWeb, layer } from "/client.mjs";',
        offered='Object.getOwnPropertyNames(Object.getPrototypeOf(layer)).filter((name) => name !== "constructor")',
        sdk=SDK,
        before=BEFORE,
        after=AFTER,
        files={"/client.mjs": client},
    )
    return visit(page, folder / "home")


TRIPS: Final = {"startTrip", "updateTrip", "completeTrip", "cancelTrip"}


def test_calls_return_their_answers(seen: Visit) -> None:
    assert seen.failed.keys() == {"validateDocumented"}
    check_tracking(seen.answers)
    check_conversion(seen.answers)
    check_searches(seen.answers)
    user = seen.answers["trackOnce"]["user"]
    assert (user["description"], user["metadata"]) == ("Ann", {"plan": "gold"})


def test_other_forms_of_the_calls(seen: Visit) -> None:
    answers = seen.answers
    assert answers["permissions"] == {"status": "GRANTED_FOREGROUND"}
    assert answers["located"]["location"] == HERE
    assert answers["trackHere"]["location"] == HERE
    assert [event["type"] for event in answers["trackThere"]["events"]] == ["user.entered_geofence"]
    assert answers["tripOptions"] == {"options": None}
    assert answers["contextHere"]["context"]["geofences"] == []
    assert answers["reverseHere"]["addresses"][0]["countryCode"] == "FI"


def test_some_documented_parameters_are_not_sent(seen: Visit) -> None:
    answers = seen.answers
    assert answers["reverseDocumented"] == answers["reverseHere"], "the position of the browser"
    assert answers["validateDocumented"]["failed"] == "ERROR_BAD_REQUEST"
    assert answers["validate"].keys() == {"status", "address"}, "no verificationStatus"
    assert answers["abroad"]["addresses"][0]["countryCode"] == "FI"


def test_the_other_methods_do_nothing(seen: Visit) -> None:
    others = seen.more["others"]
    assert set(others.values()) == {None}
    assert {"trackVerified", "startTrackingContinuous", "isTracking", "acceptEvent"} <= others.keys()
    assert TRIPS.isdisjoint(seen.answers)
    assert all("not implemented on web" in error for error in seen.more["declared"].values())
    assert seen.operations() == {
        "POST /v1/track",
        "POST /v1/events",
        "GET /v1/context",
        *(f"GET /v1/geocode/{kind}" for kind in ("forward", "reverse", "ip")),
        *(f"GET /v1/search/{kind}" for kind in ("autocomplete", "geofences", "places")),
        "GET /v1/addresses/validate",
        *(f"GET /v1/route/{kind}" for kind in ("distance", "matrix")),
    }


def test_the_log_reports_no_parameter_that_it_adds(seen: Visit) -> None:
    assert [
        each["nearMisses"] for each in seen.logged if each["nearMisses"] and each["response"]["status"] == 200
    ] == []


def test_the_page_has_the_results_of_this_run(seen: Visit) -> None:
    called = f"{count(seen.called, seen.offered)}; {len({*seen.more['others'], *TRIPS})} do nothing on the web"
    differences = (
        "uses JavaScript 3.7; `validateAddress` takes the fields of the address itself and returns no "
        "`verificationStatus`; `location` of `reverseGeocode` and `countries` of `geocode` are not sent"
    )
    check_client(Client.CAPACITOR, "Chromium", called, differences)
    check_calls(Client.CAPACITOR, answered(seen.answers))
