"""The search box of the browser SDK 4.5 in Chromium, with the keyboard and mouse of a user and a real server."""

from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.clients.chromium import MODULES, Seen, browse, needs_chromium
from tests.clients.compatibility import Client, check_client, count
from tests.clients.sdk_pages import CALLS_FILE
from tests.clients.served import served
from tests.clients.shop import open_shop, shelve

pytestmark = [pytest.mark.slow, needs_chromium]

FILES: Final = {
    "/radar.js": MODULES / "radar-sdk-js-4/dist/radar.js",
    "/radar.css": MODULES / "radar-sdk-js-4/dist/radar.css",
    "/maps.js": MODULES / "maplibre-gl/dist/maplibre-gl.js",
    "/calls.mjs": CALLS_FILE,
}
PAGE: Final = """<!doctype html><meta charset="utf-8"><title>A shop</title><link rel="stylesheet" href="/radar.css">
<script src="/maps.js"></script>
<script type="importmap">{"imports": {"maplibre-gl": "data:text/javascript,export default window.maplibregl"}}</script>
<style>body { margin: 40px; font: 16px sans-serif }</style>
<p>Delivery</p><div id="address"></div><input id="own">
<script type="module">
import { Record, methodsOf } from "/calls.mjs";
import Radar from "/radar.js";
Radar.initialize("@KEY@", { host: "@HOST@" });
const seen = { selected: [], requests: [], results: [], errors: [] };
const options = {
  container: "address", near: { latitude: 60.1699, longitude: 24.94 }, limit: 5, countryCode: "FI", layers: ["address"],
  onSelection: (address) => seen.selected.push(address), onRequest: (params) => seen.requests.push({ ...params }),
  onResults: (addresses) => seen.results.push(addresses.length), onError: ({ name }) => seen.errors.push(name),
};
const box = Radar.ui.autocomplete(options);
const record = new Record(methodsOf(box).filter((name) => name.startsWith("set") || name === "remove"));
const ui = record.of(box);
const input = document.querySelector("#address input");
const list = document.querySelector("#address ul");
const until = async (holds) => { while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20)); };
const search = async (text) => {
  const before = seen.results.length + seen.errors.length;
  await clickOn("#address input");
  await pressKey("Control+A");
  await typeText(text);
  await until(() => seen.results.length + seen.errors.length > before);
};
const shown = () => [...list.querySelectorAll("li")].map((item) => item.textContent.trim());
const look = () => ({
  items: shown(), expanded: input.getAttribute("aria-expanded"), height: list.getBoundingClientRect().height,
});

await clickOn("#address input");
await typeText("ma");
await new Promise((resolve) => setTimeout(resolve, 400));
seen.short = { requests: seen.requests.length, ...look() };

await search("mannerh");
seen.typed = { ...look(), powered: list.querySelector(".radar-powered").innerText };
await pressKey("ArrowDown");
await pressKey("ArrowDown");
seen.marked = list.querySelector(".radar-autocomplete-results-item-selected").textContent.trim();
await pressKey("Enter");
await until(() => input.getAttribute("aria-expanded") === "false");
seen.chosen = { value: input.value, ...look() };

await search("aleksant");
seen.clicked = shown()[1];
await clickOn("#address li:nth-child(2)");
await until(() => input.getAttribute("aria-expanded") === "false");
seen.valueOfClick = input.value;

ui.setLimit(2);
ui.setNear(null);
ui.setLang("en");
ui.setShowMarkers(false);
await search("mannerh");
seen.few = { ...look(), markers: list.querySelectorAll("img").length };
ui.setShowMarkers(true);
ui.setMarkerColor("#123456");
seen.markers = [...list.querySelectorAll("img")].map((image) => image.src.includes("%23123456"));
await clickOn("p");
await until(() => input.getAttribute("aria-expanded") === "false");

await search("zzzzqqqq");
seen.nothing = { ...look(), text: list.innerText.trim() };
await clickOn("p");
ui.setPostalCode("00100");
await search("mannerheimint");
ui.setPostalCode(null);
ui.setLimit(1000);
await search("mannerheimintie");
await clickOn("p");
await until(() => input.getAttribute("aria-expanded") === "false");
ui.setPlaceholder("Where to?");
ui.setDisabled(true);
ui.setResponsive(false);
ui.setWidth(300);
ui.setMaxHeight(120);
ui.setMinCharacters(5);
ui.setHideResultsOnBlur(false);
const { placeholder, disabled } = input;
seen.box = { placeholder, disabled, width: input.parentElement.style.width, height: list.style.maxHeight };

const own = Radar.ui.autocomplete({ container: "own", limit: 1, mailable: true, expandUnits: true });
await clickOn("#own");
await typeText("kamppi");
await until(() => document.querySelector("body > div:last-of-type li"));
await pressKey("ArrowDown");
await pressKey("Enter");
seen.own = document.querySelector("#own").value;
own.remove();
ui.remove();
seen.left = document.querySelectorAll(".radar-autocomplete-wrapper, #own").length;
record.report(seen);
</script>
"""


type Visited = tuple[Seen, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> Visited:
    with served(tmp_path_factory.mktemp("home")) as server, open_shop() as shop:
        shelve(PAGE, server.publishable, server.url, FILES)
        seen = browse(f"{shop}/")
        logged = [each for each in server.logged() if "/search/autocomplete" in each["path"]]
    assert not seen.errors, (seen.errors, seen.console)
    return seen, [each for each in logged if each["method"] == "GET"]


def shown(address: dict[str, Any]) -> str:
    """Return an address as the list shows it: with its label in bold instead of separated by a comma."""
    label = address["addressLabel"]
    text: str = address["formattedAddress"].replace(f"{label},", label, 1)
    return text


@pytest.fixture
def result(visited: Visited) -> dict[str, Any]:
    found: dict[str, Any] = visited[0].result
    return found


def test_suggestions_appear_below_the_box(result: dict[str, Any]) -> None:
    assert (result["short"]["requests"], result["short"]["items"]) == (0, []), "it asks from three letters on"
    typed = result["typed"]
    assert 1 <= len(typed["items"]) <= 5
    assert all("Mannerheimin" in item and "Helsinki" in item for item in typed["items"])
    assert typed["expanded"] == "true"
    assert typed["height"] > 30
    assert "Powered by" in typed["powered"]


def test_a_suggestion_is_chosen_with_the_keyboard(result: dict[str, Any]) -> None:
    assert result["marked"] == result["typed"]["items"][1]
    selected = result["selected"][0]
    assert result["chosen"]["value"] == selected["formattedAddress"]
    assert result["marked"] == shown(selected)
    assert (result["chosen"]["items"], result["chosen"]["expanded"]) == ([], "false")
    assert selected["countryCode"] == "FI"
    assert selected["latitude"] == pytest.approx(60.2, abs=0.2)
    assert selected["geometry"]["coordinates"] == [selected["longitude"], selected["latitude"]]


def test_a_suggestion_is_chosen_with_the_mouse(result: dict[str, Any]) -> None:
    selected = result["selected"][1]
    assert result["valueOfClick"] == selected["formattedAddress"]
    assert result["clicked"] == shown(selected)
    assert "Aleksant" in selected["street"]


def test_its_settings_reach_the_server(result: dict[str, Any], visited: Visited) -> None:
    assert len(result["few"]["items"]) == 2
    assert (result["few"]["markers"], result["markers"]) == (0, [True, True])
    sent = [parse_qs(urlsplit(each["path"]).query) for each in visited[1]]
    assert (sent[0]["near"], sent[0]["limit"], sent[0]["countryCode"]) == (["60.1699,24.94"], ["5"], ["FI"])
    assert "near" not in sent[2]
    assert (sent[2]["limit"], sent[2]["lang"]) == (["2"], ["en"])
    assert len(sent) == len(result["requests"]) + 1, "the second box has no onRequest"


def test_no_result_and_errors_are_shown(result: dict[str, Any]) -> None:
    assert (result["nothing"]["items"], result["nothing"]["text"]) == ([], "No results")
    assert result["errors"] == ["RadarBadRequestError"], "a limit of 1000"


def test_the_log_warns_of_parameters_without_effect(visited: Visited) -> None:
    misses = {
        (miss["kind"], miss["param"])
        for each in visited[1]
        if each["response"]["status"] == 200
        for miss in each["nearMisses"]
    }
    assert misses == {("notServed", name) for name in ("postalCode", "mailable", "expandUnits")}


def test_it_is_changed_and_removed(result: dict[str, Any]) -> None:
    assert result["box"] == {"placeholder": "Where to?", "disabled": True, "width": "300px", "height": "120px"}
    assert "Kamppi" in result["own"]
    assert result["left"] == 0


def test_the_page_has_the_results_of_this_run(result: dict[str, Any]) -> None:
    differences = "`postalCode`, `mailable` and `expandUnits` have no effect; version 5 has no such box on npm"
    called = f"{count(result['called'], result['offered'])} of the box"
    check_client(Client.AUTOCOMPLETE, "Chromium, with keyboard and mouse", called, differences)
