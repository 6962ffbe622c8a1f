"""The vendor's own browser SDK in Chromium, on a page of another origin, including CORS."""

import re
from pathlib import Path

import pytest

from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.settings import SettingsChange
from engine.domain.tracking.trips import TripQuery, TripStatus
from engine.engine import Engine
from tests.clients.shop import ROOT, SDK, shop, visit

__all__ = ["shop"]

pytestmark = pytest.mark.skipif(not SDK.exists(), reason="the web assets have not been installed")

PAGE = """\
<!doctype html><meta charset="utf-8"><title>A shop</title>
<script type="module">
import Radar from "/radar.js";
const seen = {};
const failure = error => ({name: error.name, code: error.code, meta: error.response?.meta});
Radar.initialize("@KEY@", {host: "@HOST@"});
const here = {latitude: 40.785, longitude: -73.975, accuracy: 5};
const device = {deviceId: "browser", userId: "ann"};
try {
  seen.entered = await Radar.trackOnce({...here, ...device});
  seen.bought = await Radar.logConversion({name: "bought", revenue: 9.5, metadata: {sku: "a"}, ...device});
  seen.context = await Radar.getContext(here);
  seen.again = await Radar.trackOnce({...here, ...device, metadata: {plan: "gold", paid: true}});
  seen.left = await Radar.trackOnce({...here, ...device, longitude: -73.5});
  seen.found = await Radar.searchGeofences({near: here, limit: 10, tags: ["park"], metadata: {a: 1}});
} catch (error) { seen.unexpected = failure(error); }
try { await Radar.trackOnce({...here, ...device, latitude: 91}); } catch (error) { seen.bad = failure(error); }
const hasty = {...here, deviceId: "hasty"};
try { for (const _ of "ab") await Radar.trackOnce(hasty); } catch (error) { seen.limited = failure(error); }
Radar.initialize("prj_test_pk_unknown", {host: "@HOST@"});
try { await Radar.trackOnce({...here, ...device}); } catch (error) { seen.unknownKey = failure(error); }
console.log("result:" + JSON.stringify(seen));
</script>
"""


LAWN = GeofenceChange(
    tag="park",
    external_id="1",
    description="A lawn",
    type="circle",
    coordinates=(-73.975, 40.785),
    size=100,
    metadata={"a": 1},
)


def test_a_page_of_another_origin_tracks_and_searches(tmp_path: Path, shop: str) -> None:
    with Engine.open(tmp_path / "workspace") as engine:
        engine.settings.change(Environment.TEST, SettingsChange(rate_limit=False))
        stored = engine.geofences.create(Environment.TEST, LAWN)
        result = visit(engine, shop, PAGE)

    assert "unexpected" not in result, result["unexpected"]
    assert "limited" not in result
    assert [event["type"] for event in result["entered"]["events"]] == ["user.entered_geofence"]
    assert result["entered"]["user"]["userId"] == "ann"
    assert result["entered"]["user"]["geofences"][0]["_id"] == stored.id
    assert result["again"]["events"] == []
    assert result["again"]["user"]["metadata"] == {"plan": "gold", "paid": True}
    assert [event["type"] for event in result["left"]["events"]] == ["user.exited_geofence"]
    assert [geofence["_id"] for geofence in result["found"]["geofences"]] == [stored.id]
    bought = result["bought"]["event"]
    assert (bought["type"], bought["user"]["userId"]) == ("bought", "ann")
    assert bought["metadata"] == {"sku": "a", "revenue": 9.5}
    assert [geofence["_id"] for geofence in result["context"]["geofences"]] == [stored.id]
    assert result["bad"]["meta"]["param"] == "latitude"
    assert "[-90, 90]" in result["bad"]["meta"]["message"]
    assert result["unknownKey"]["meta"]["code"] == 401
    assert result["unknownKey"]["meta"]["requestId"]


def test_a_page_that_tracks_too_fast_gets_a_rate_limit_error(tmp_path: Path, shop: str) -> None:
    with Engine.open(tmp_path / "workspace") as engine:
        result = visit(engine, shop, PAGE)
    assert result["limited"]["name"] == "RadarRateLimitError"
    assert result["limited"]["meta"]["type"] == "trackPerDevice"


def test_the_trip_of_the_documentation(tmp_path: Path, shop: str) -> None:
    page = (ROOT / "docs" / "trips.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```js\n(.*?)```", page, re.DOTALL)
    filled = (
        code.replace("'radar-sdk-js'", "'/radar.js'")
        .replace("prj_test_pk_…", "@KEY@")
        .replace("http://127.0.0.1:8787", "@HOST@")
        .replace("console.log(", "printed.push(")
    )
    script = f"const printed = [];\n{filled}\nconsole.log('result:' + JSON.stringify({{ printed }}));"
    with Engine.open(tmp_path / "workspace") as engine:
        engine.settings.change(Environment.TEST, SettingsChange(rate_limit=False))
        engine.geofences.create(
            Environment.TEST,
            GeofenceChange(
                tag="store",
                external_id="1",
                description="A store",
                type="circle",
                coordinates=(1.0828, 51.2798),
                size=100,
            ),
        )
        result = visit(engine, shop, f'<!doctype html><meta charset="utf-8"><script type="module">{script}</script>')
        (trip,) = engine.trips.page(Environment.TEST, TripQuery()).items
    first, *_, last = result["printed"]
    assert "user.started_trip" in first
    assert {"user.entered_geofence", "user.arrived_at_trip_destination"} <= set(last)
    assert (trip.external_id, trip.status) == ("order-2", TripStatus.COMPLETED)
