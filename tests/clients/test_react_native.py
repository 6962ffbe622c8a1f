"""The web layer of `react-native-radar` in Chromium, in a bundle with `react-native-web`, as web builds are made."""

from typing import Final

import pytest

from tests.clients.answers import HERE, answered, check_searches, check_tracking, check_trips
from tests.clients.bundles import bundle
from tests.clients.chromium import needs_chromium
from tests.clients.compatibility import Client, check_calls, check_client, count
from tests.clients.sdk_pages import ClientPage, Visit, visit
from tests.clients.sent_fields import check_requests

pytestmark = [pytest.mark.slow, needs_chromium]

OWN_SDK: Final = "react-native-radar/node_modules/radar-sdk-js"
ENTRY: Final = """
import * as native from "react-native-radar";
import * as web from "radar-sdk-js";
const main = native.default.default ? native.default : native;
export const Radar = main.default;
export const { Autocomplete, Map, RadarRNWeb } = main;
export const RadarWeb = web.default.default ?? web.default;
"""
BUNDLED: Final = {"react-native": "react-native-web", "radar-sdk-js": f"./node_modules/{OWN_SDK}"}
ABSENT: Final = ("@maplibre/maplibre-react-native", "react-native-safe-area-context")

SDK: Final = """
  trackOnce: (p) => Radar.trackOnce(p), context: (p) => Radar.getContext(p), conversion: (p) => Radar.logConversion(p),
  forward: (p) => Radar.geocode(p), reverse: (p) => Radar.reverseGeocode(p), ip: () => Radar.ipGeocode(),
  autocomplete: (p) => Radar.autocomplete(p), geofences: (p) => Radar.searchGeofences(p),
  places: (p) => Radar.searchPlaces(p), validate: (p) => Radar.validateAddress(p),
  distance: (p) => Radar.getDistance(p), matrix: (p) => Radar.getMatrix(p),
  startTrip: (p) => Radar.startTrip(p), updateTrip: (options) => Radar.updateTrip({ options }),
  completeTrip: () => Radar.completeTrip(), cancelTrip: () => Radar.cancelTrip(), keepTrip: () => {},
"""
BEFORE: Final = """
RadarWeb.setHost("@HOST@");
Radar.initialize("@KEY@");
Radar.setUserId("ann");
Radar.setDeviceId("web-1", "install-1");
Radar.setDeviceType("Web");
Radar.setDescription("Ann");
Radar.setMetadata({ plan: "gold" });
Radar.setRequestHeaders({ "X-Shop": "1" });
"""
AFTER: Final = """
await record.attempt("permissions", () => Radar.getPermissionsStatus());
await record.attempt("located", () => Radar.getLocation());
await record.attempt("trackHere", () => Radar.trackOnce());
await record.attempt("trackThere", () => Radar.trackOnce({
  location: { latitude: 60.1719, longitude: 24.9414, accuracy: 5 }, desiredAccuracy: "high",
}));
await record.attempt("startWithOptions",
  () => Radar.startTrip({ tripOptions: { externalId: "order-3" }, trackingOptions: {} }));
await record.attempt("completeWithStatus",
  () => Radar.updateTrip({ options: { externalId: "order-3" }, status: "completed" }));
await record.attempt("contextHere", () => Radar.getContext());
await record.attempt("forwardText", () => Radar.geocode("Mannerheimintie 10, Helsinki"));
await record.attempt("forwardAddress", () => Radar.geocode({ address: "Mannerheimintie 10, Helsinki" }));
await record.attempt("reverseHere", () => Radar.reverseGeocode());
await record.attempt("bad", () => Radar.searchPlaces({ near: { latitude: 60.17, longitude: 24.94 } }));
await record.attempt("versions", async () => [await Radar.nativeSdkVersion(), Radar.rnSdkVersion()]);
const silent = Radar.setLogLevel("debug") === undefined && Radar.startTrackingEfficient() === undefined;
Radar.throwOnUnimplemented(true);
const others = await record.others(Loaded);
const loud = ["setLogLevel", "startTrackingEfficient"].map((name) => {
  try { return Radar[name](); } catch (error) { return error.message; }
});
record.report({ silent, loud, others, sameObject: RadarRNWeb === Loaded, ui: [Autocomplete, Map] });
"""
NOT_IMPLEMENTED: Final = "{}() is not implemented on web"


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Visit:
    folder = tmp_path_factory.mktemp("react-native")
    client = bundle(ENTRY, folder / "client.mjs", aliases=BUNDLED, absent=ABSENT)
    names = "{ Radar as Loaded, RadarRNWeb, RadarWeb, Autocomplete, Map }"
    page = ClientPage(
        load=f'import {names} from "/client.mjs";', sdk=SDK, before=BEFORE, after=AFTER, files={"/client.mjs": client}
    )
    return visit(page, folder / "home")


def test_calls_return_their_answers(seen: Visit) -> None:
    assert seen.failed.keys() == {"conversion", "bad"}
    check_tracking(seen.answers)
    check_trips(seen.answers)
    check_searches(seen.answers)
    user = seen.answers["trackOnce"]["user"]
    assert (user["deviceId"], user["deviceType"], user["description"]) == ("web-1", "Web", "Ann")
    assert (user["metadata"], seen.answers["trackOnce"]["status"]) == ({"plan": "gold"}, "SUCCESS")


def test_other_forms_of_the_calls(seen: Visit) -> None:
    answers = seen.answers
    assert answers["permissions"] == {"status": "GRANTED_FOREGROUND"}
    assert answers["located"]["location"] == HERE
    assert answers["trackHere"]["location"] == HERE
    entered = [event["type"] for event in answers["trackThere"]["events"]]
    assert entered == ["user.entered_geofence"]
    assert answers["trackThere"]["user"]["geofences"][0]["externalId"] == "1"
    assert answers["startWithOptions"]["trip"]["externalId"] == "order-3"
    assert answers["completeWithStatus"]["trip"]["status"] == "completed"
    assert answers["contextHere"]["context"]["geofences"] == []
    streets = [answers[name]["addresses"][0]["street"] for name in ("forward", "forwardText", "forwardAddress")]
    assert streets == ["Mannerheimintie"] * 3
    assert answers["reverseHere"]["addresses"][0]["countryCode"] == "FI"
    assert answers["versions"] == ["3.7.1", "4.36.0"]


def test_a_validated_address_comes_without_its_status(seen: Visit) -> None:
    assert seen.answers["validate"].keys() == {"status", "address"}


def test_an_error_is_its_name_only(seen: Visit) -> None:
    assert seen.answers["bad"]["failed"] == "ERROR_BAD_REQUEST"


def test_the_other_methods_are_not_implemented_and_ask_nothing(seen: Visit) -> None:
    others = seen.more["others"]
    assert others == {name: NOT_IMPLEMENTED.format(name) for name in others}
    assert seen.answers["conversion"]["failed"] == NOT_IMPLEMENTED.format("logConversion")
    assert {"trackVerified", "revealRisk", "isTracking", "sendEvent"} <= others.keys()
    assert seen.more["silent"], "by default, such methods that return nothing do nothing"
    assert seen.more["loud"] == [NOT_IMPLEMENTED.format(name) for name in ("setLogLevel", "startTrackingEfficient")]
    assert seen.operations() == {
        "POST /v1/track",
        "POST /v1/trips",
        *(f"PATCH /v1/trips/order-{number}/update" for number in (1, 2, 3)),
        "GET /v1/context",
        *(f"GET /v1/geocode/{kind}" for kind in ("forward", "reverse", "ip")),
        *(f"GET /v1/search/{kind}" for kind in ("autocomplete", "geofences", "places")),
        "GET /v1/addresses/validate",
        *(f"GET /v1/route/{kind}" for kind in ("distance", "matrix")),
    }


def test_the_components_are_not_for_the_web(seen: Visit) -> None:
    assert seen.more["sameObject"]
    assert seen.more["ui"] == [{}, {}], "Autocomplete and Map are empty objects"


def test_the_log_reports_no_parameter_that_it_adds(seen: Visit) -> None:
    check_requests("3.7.1", [each for each in seen.logged if each["response"]["status"] == 200])


def test_the_page_has_the_results_of_this_run(seen: Visit) -> None:
    missing = {*seen.more["others"], "logConversion", "setLogLevel", "startTrackingEfficient"}
    called = f"{count(seen.called, seen.offered)}; {len(missing)} are not implemented on the web"
    differences = (
        "uses JavaScript 3.7; `validateAddress` returns no `result`; an error is only its name; `Autocomplete` and "
        "`Map` are empty"
    )
    check_client(Client.REACT_NATIVE, "Chromium, with `react-native-web`", called, differences)
    check_calls(Client.REACT_NATIVE, answered(seen.answers))
