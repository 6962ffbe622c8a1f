"""The fields of a geofence that control its events and its lifetime, as sent and as returned."""

import json
from typing import Any

import pytest

from tests.app.api.conftest import Api, assert_refused, circle, fix


@pytest.mark.parametrize("minutes", [5e-324, 1e-12, 1 / 3, 7.5])
def test_a_threshold_is_kept_as_it_is_set_however_small(secret: Api, name: str, minutes: float) -> None:
    made = secret.post("/v1/geofences", json=circle(name, dwellThreshold=minutes))
    assert made.json()["geofence"]["dwellThreshold"] == pytest.approx(minutes, rel=1e-11, abs=0)


RULES: dict[str, Any] = {
    "operatingHours": {"Mon": [["09:00", "12:00"], ["13:00", "24:00"]], "Sun": [["22:00", "02:00"]]},
    "stopDetection": True,
    "disableAfter": "2099-01-01T00:00:00.000Z",
    "deleteAfter": "2099-02-01T10:00:00.500Z",
    "userIds": "ann,bob",
    "ip": "10.0.*.*,192.168.0.0/16,2001:db8::1",
    "dwellThreshold": 7.5,
}


def created(api: Api, name: str, **fields: Any) -> dict[str, Any]:
    response = api.post("/v1/geofences", json=circle(name, **fields))
    assert response.status_code == 200, response.text
    geofence: dict[str, Any] = response.json()["geofence"]
    return geofence


def rules_of(geofence: dict[str, Any]) -> dict[str, Any]:
    return {field: geofence[field] for field in RULES if field in geofence}


def test_all_are_kept_and_shown(secret: Api, name: str) -> None:
    geofence = created(secret, name, **RULES)
    assert rules_of(geofence) == RULES
    assert secret.get(f"/v1/geofences/{name}/1").json()["geofence"] == geofence


def test_client_apps_do_not_learn_for_whom_a_geofence_is(secret: Api, publishable: Api, name: str) -> None:
    created(secret, name, **RULES)
    for more in ("", "&includeGeometry=false"):
        query = f"near=40.78382,-73.97536&tags={name}{more}"
        (found,) = publishable.get(f"/v1/search/geofences?{query}").json()["geofences"]
        assert rules_of(found) == {field: RULES[field] for field in RULES if field not in ("userIds", "ip")}


def test_none_are_shown_if_none_are_set(secret: Api, name: str) -> None:
    assert rules_of(created(secret, name)) == {}


def test_shown_values_can_be_sent_again(secret: Api, name: str) -> None:
    geofence = created(secret, name, **RULES)
    again = secret.put(f"/v1/geofences/{name}/1", json=rules_of(geofence)).json()["geofence"]
    assert rules_of(again) == RULES


def test_absent_and_null_keep_the_stored_values(secret: Api, name: str) -> None:
    created(secret, name, **RULES)
    nothing: dict[str, Any] = dict.fromkeys(RULES)
    assert rules_of(secret.put(f"/v1/geofences/{name}/1", json=nothing).json()["geofence"]) == RULES
    assert rules_of(secret.put(f"/v1/geofences/{name}/1", json={"enabled": False}).json()["geofence"]) == RULES


@pytest.mark.parametrize("field", list(RULES))
def test_empty_text_takes_a_field_away(secret: Api, name: str, field: str) -> None:
    created(secret, name, **RULES)
    changed = secret.put(f"/v1/geofences/{name}/1", json={field: ""}).json()["geofence"]
    assert rules_of(changed) == {other: value for other, value in RULES.items() if other != field}


@pytest.mark.parametrize(("field", "empty"), [("operatingHours", {}), ("userIds", []), ("ip", []), ("userId", "")])
def test_an_empty_list_or_dictionary_does_too(secret: Api, name: str, field: str, empty: object) -> None:
    created(secret, name, **RULES)
    changed = secret.put(f"/v1/geofences/{name}/1", json={field: empty}).json()["geofence"]
    assert field.replace("userId", "userIds").replace("userIdss", "userIds") not in changed
    assert len(rules_of(changed)) == len(RULES) - 1


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ({"monday": [["9:00 AM", "5:00 pm"]]}, {"Mon": [["09:00", "17:00"]]}),
        ({"TUE": [["12:45 AM", "12:00 PM"]]}, {"Tue": [["00:45", "12:00"]]}),
        ({"Wed": [["13:00", "14:00"], ["9:00", "10:00"]]}, {"Wed": [["09:00", "10:00"], ["13:00", "14:00"]]}),
        ({"Thu": [["17:00", "09:00"]], "Fri": []}, {"Thu": [["17:00", "09:00"]], "Fri": []}),
        ('{"sat": [["00:00", "24:00"]]}', {"Sat": [["00:00", "24:00"]]}),
    ],
)
def test_hours_in_all_their_spellings(secret: Api, name: str, sent: object, shown: object) -> None:
    assert created(secret, name, operatingHours=sent)["operatingHours"] == shown


def test_hours_without_any_day_mean_always_closed(secret: Api, name: str) -> None:
    """Empty hours are not the same as no hours, and remain empty when they are read and sent again."""
    geofence = created(secret, name, operatingHours={"Mon": []})
    assert geofence["operatingHours"]
    assert not any(geofence["operatingHours"].values())
    again = secret.put(f"/v1/geofences/{name}/1", json={"operatingHours": geofence["operatingHours"]})
    assert again.json()["geofence"]["operatingHours"] == geofence["operatingHours"]


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        ({"userIds": ["ann", "bob"]}, "ann,bob"),
        ({"userIds": " ann , bob ,, ann"}, "ann,bob"),
        ({"userIds": '["ann"]'}, "ann"),
        ({"userId": "ann"}, "ann"),
        ({"userIds": "bob", "userId": "ann"}, "bob,ann"),
        ({"userIds": "bob", "userId": ""}, "bob"),
    ],
)
def test_users(secret: Api, name: str, sent: dict[str, Any], shown: str) -> None:
    geofence = created(secret, name, **sent)
    assert geofence["userIds"] == shown
    assert "userId" not in geofence


@pytest.mark.parametrize(
    ("sent", "shown"),
    [(["10.0.0.1", "::1"], "10.0.0.1,::1"), (" 10.0.0.0/8 ,, 1.2.3.* ", "10.0.0.0/8,1.2.3.*")],
)
def test_addresses(secret: Api, name: str, sent: object, shown: str) -> None:
    assert created(secret, name, ip=sent)["ip"] == shown


@pytest.mark.parametrize(
    ("sent", "shown"),
    [("2099-05-06", "2099-05-06T00:00:00.000Z"), ("2099-05-06T10:00:00+02:00", "2099-05-06T08:00:00.000Z")],
)
def test_dates(secret: Api, name: str, sent: str, shown: str) -> None:
    assert created(secret, name, disableAfter=sent)["disableAfter"] == shown


def test_a_form_holds_them_too(secret: Api, name: str) -> None:
    form = circle(name, coordinates="[-73.9,40.7]", userIds=["ann", "bob"], ip="10.0.0.1", stopDetection="True")
    form |= {"operatingHours": json.dumps(RULES["operatingHours"]), "dwellThreshold": "5", "deleteAfter": "2099-01-01"}
    geofence = secret.post("/v1/geofences", data=form).json()["geofence"]
    assert rules_of(geofence) == {
        "operatingHours": RULES["operatingHours"],
        "stopDetection": True,
        "deleteAfter": "2099-01-01T00:00:00.000Z",
        "userIds": "ann,bob",
        "ip": "10.0.0.1",
        "dwellThreshold": 5,
    }
    emptied = secret.put(f"/v1/geofences/{name}/1", data=dict.fromkeys(RULES, ""))
    assert rules_of(emptied.json()["geofence"]) == {}


BAD: list[tuple[str, Any, str]] = [
    ("operatingHours", [["09:00", "17:00"]], "dictionary"),
    ("operatingHours", "9 to 5", "JSON"),
    ("operatingHours", '"Mon"', "dictionary"),
    ("operatingHours", 5, "dictionary"),
    ("operatingHours", True, "dictionary"),
    ("operatingHours", {"Mo": [["09:00", "17:00"]]}, "'Mo'"),
    ("operatingHours", {"Mon": [["09:00", "17:00"]], "monday": []}, "twice"),
    ("operatingHours", {"Mon": "09:00-17:00"}, "Mon"),
    ("operatingHours", {"Mon": ["09:00", "17:00"]}, "pair"),
    ("operatingHours", {"Mon": [["09:00"]]}, "pair"),
    ("operatingHours", {"Mon": [["09:00", "12:00", "17:00"]]}, "pair"),
    ("operatingHours", {"Mon": [["09:00", "25:00"]]}, "25:00"),
    ("operatingHours", {"Mon": [["09:00", "24:01"]]}, "24:01"),
    ("operatingHours", {"Mon": [["24:00", "09:00"]]}, "24:00"),
    ("operatingHours", {"Mon": [["13:00 PM", "17:00"]]}, "13:00 PM"),
    ("operatingHours", {"Mon": [[9, 17]]}, "9"),
    ("operatingHours", {"Mon": [["09:00", None]]}, "None"),
    ("operatingHours", {"Mon": [["09:00", "17:00"]] * 49}, "49"),
    ("stopDetection", "yes", "true or false"),
    ("stopDetection", 1, "true or false"),
    ("stopDetection", [], "true or false"),
    ("disableAfter", "soon", "ISO 8601"),
    ("disableAfter", "2025-02-30", "ISO 8601"),
    ("disableAfter", 1700000000, "ISO 8601"),
    ("deleteAfter", {}, "ISO 8601"),
    ("deleteAfter", "0001-01-01T00:00:00+10:00", "ISO 8601"),
    ("userIds", 5, "list"),
    ("userIds", ["ann", 5], "item 2"),
    ("userIds", ["ann", ""], "item 2"),
    ("userIds", ["ann", None], "item 2"),
    ("userIds", ["x" * 257], "257"),
    ("userIds", ["a,b"], "comma"),
    ("userIds", "[1", "JSON"),
    ("userIds", {"ann": True}, "list"),
    ("userId", 5, "a string"),
    ("userId", "x" * 257, "257"),
    ("ip", 5, "list"),
    ("ip", "10.0.0.256", "'10.0.0.256'"),
    ("ip", "10.0.0.1, 10.0.0", "'10.0.0'"),
    ("ip", "10.0.0.0/33", "'10.0.0.0/33'"),
    ("ip", "10.0.*", "'10.0.*'"),
    ("ip", ["::1", "localhost"], "'localhost'"),
    ("ip", [5], "item 1"),
    ("ip", ["10.0.0.1"] * 2 + [f"10.{n // 250}.{n % 250}.1" for n in range(1001)], "1000"),
    ("dwellThreshold", 0, "greater than 0"),
    ("dwellThreshold", -5, "greater than 0"),
    ("dwellThreshold", "5", "a number"),
    ("dwellThreshold", True, "a number"),
    ("dwellThreshold", float("nan"), "finite"),
    ("dwellThreshold", 1e9, "minutes"),
    ("dwellThreshold", 1e308, "minutes"),
    ("mode", "plane", "car"),
    ("address", "20 Jay Street, Nowhere", "was found for"),
    ("address", "  ", "empty"),
    ("address", "x" * 1_001, "1000"),
    ("address", 5, "string"),
    ("placeId", 5, "string"),
    ("tripApproachingThreshold", -1, "0 or greater"),
    ("tripApproachingThreshold", 1e9, "minutes"),
    ("tripApproachingThreshold", True, "a number"),
]


@pytest.mark.parametrize(("param", "value", "words"), BAD)
def test_bad_values_name_their_parameter(secret: Api, name: str, param: str, value: Any, words: str) -> None:
    body = circle(name) | {param: value}
    param = "userIds" if value == ["a,b"] else param
    assert_refused(secret.post("/v1/geofences", content=json.dumps(body)), param, words)
    assert_refused(secret.put(f"/v1/geofences/{name}/1", content=json.dumps(body)), param, words)
    assert secret.get(f"/v1/geofences/{name}/1").status_code == 404


def test_an_event_states_whether_the_geofence_was_operating(secret: Api, name: str) -> None:
    created(secret, name, operatingHours={"Sat": [["00:00", "24:00"]], "Mon": []}, userIds=name)
    for day, operating in (("2025-03-01", True), ("2025-03-03", False)):
        body = fix(f"{name}-{day}", userId=name, updatedAt=f"{day}T17:00:00Z")
        events = secret.post("/v1/track", json=body).json()["events"]
        (event,) = [event for event in events if event["geofence"]["tag"] == name]
        assert (event["type"], event["currentlyOperating"]) == ("user.entered_geofence", operating)
