"""The nightly sync over HTTP."""

import threading
from collections.abc import Iterator
from typing import Any

import pytest

from engine.domain.environment import Environment
from engine.domain.imports import Channel, ImportFile
from engine.domain.settings import SettingsChange
from engine.engine import Engine
from tests.app.api.conftest import Api, assert_refused
from tests.engine.nightly.servers import SECRET, Files, files, table

SYNC, RUN = "/v1/imports/sync", "/v1/imports/sync/run"
SETTINGS: dict[str, Any] = {
    "enabled": True,
    "notificationEmail": "ops@example.com",
    "protocol": "AWS S3",
    "urls": ["https://example.com/a.csv", "https://example.com/b.csv?token=1"],
    "region": "eu-central-1",
    "bucket": "fences",
    "objectKeys": ["nightly/a.csv", "b.csv"],
    "fileOptions": [
        {"file": "https://example.com/b.csv?token=1", "map": {"externalId": "OBJECTID"}, "set": {"tag": "zone"}},
        {"file": "b.csv", "layer": "zones", "id": "{ZONE}-{NR}", "metadata": ["FLOOR"], "repair": True},
        {
            "file": "nightly/a.csv",
            "sheet": "Zones",
            "encoding": "windows-1252",
            "repair": ["lines", "rings"],
            "lineWidth": 8.5,
        },
    ],
    "accessKeyId": "AKIAEXAMPLE",
    "endpoint": "https://minio.example.com:9000",
    "hour": 23,
    "timeZone": "Europe/Zurich",
    "deleteMissing": True,
    "smtpHost": "smtp.example.com",
    "smtpPort": 2525,
    "smtpSecurity": "tls",
    "smtpUser": "me",
    "smtpFrom": "fences@example.com",
}


@pytest.fixture(autouse=True)
def _reset(engine: Engine, secret: Api) -> Iterator[None]:
    engine.settings.change(Environment.TEST, SettingsChange(allow_private_urls=True))
    yield
    names = [*SETTINGS, "secretAccessKey", "smtpPassword"]
    assert secret.patch(SYNC, json=dict.fromkeys(names)).status_code == 200


@pytest.fixture
def served() -> Iterator[Files]:
    with files() as served:
        yield served


def test_all_settings_are_kept_and_reset_and_secrets_never_shown(secret: Api, live: Api) -> None:
    before = secret.get(SYNC).json()["sync"]
    assert (before["enabled"], before["protocol"], before["hour"], before["urls"]) == (False, "HTTP", 2, [])
    given = SETTINGS | {"secretAccessKey": SECRET, "smtpPassword": "mail-secret"}
    changed = secret.patch(SYNC, json=given)
    shown = changed.json()["sync"]
    assert {name: shown[name] for name in SETTINGS} == SETTINGS
    assert shown["secretAccessKeySet"]
    assert shown["smtpPasswordSet"]
    assert "nextRunAt" in shown
    assert secret.get(SYNC).json()["sync"] == shown
    assert live.get(SYNC).json()["sync"] == before
    assert secret.patch(SYNC, json={"smtpHost": "other.example.com"}).json()["sync"]["smtpPasswordSet"] is False
    log = secret.get("/v1/requests", params={"limit": 50}).text
    for text in (changed.text, log):
        assert SECRET not in text
        assert "mail-secret" not in text
    assert secret.patch(SYNC, json=dict.fromkeys(given)).json()["sync"] == before


def test_forms_are_understood_as_well(secret: Api) -> None:
    options = '[{"file": "https://example.com/b.csv", "set": {"tag": "zone"}}]'
    urls = "https://example.com/a.csv,https://example.com/b.csv"
    form = {"urls": urls, "fileOptions": options, "hour": "4", "smtpPassword": "mail-secret"}
    shown = secret.patch(SYNC, data=form).json()["sync"]
    assert shown["fileOptions"] == [{"file": "https://example.com/b.csv", "set": {"tag": "zone"}}]
    assert (len(shown["urls"]), shown["hour"], shown["smtpPasswordSet"]) == (2, 4, True)
    assert "mail-secret" not in secret.get("/v1/requests").text


@pytest.mark.parametrize(
    ("body", "param", "words"),
    [
        ({"enabled": True}, "urls", "required"),
        ({"urls": ["file:///etc/passwd"]}, "urls", "http"),
        ({"hour": 24}, "hour", "within"),
        ({"timeZone": "Europe/Atlantis"}, "timeZone", "Europe/Zurich"),
        ({"timeZone": "Europe"}, "timeZone", "Europe/Zurich"),
        ({"hours": 2}, "hours", "no such parameter"),
        ({"protocol": "FTP"}, "protocol", "HTTP"),
        ({"secretAccessKey": 12345}, "secretAccessKey", "must be a string"),
        ({"notificationEmail": "nobody"}, "notificationEmail", "e-mail address"),
        ({"endpoint": "minio"}, "endpoint", "http"),
        ({"fileOptions": "x"}, "fileOptions", "must be valid JSON"),
        ({"fileOptions": [{"map": {}}]}, "fileOptions", "item 1 file: this parameter is required"),
        ({"fileOptions": [{"file": "a", "mapp": {}}]}, "fileOptions", "item 1 mapp: there is no such parameter"),
        ({"fileOptions": [{"file": "a", "encoding": "ebcdic"}]}, "fileOptions", "item 1 encoding: must be 'utf-8', "),
        ({"fileOptions": [{"file": "a", "map": {"tag": 1}}]}, "fileOptions", "item 1 map tag: must be a string"),
        (
            {"objectKeys": ["a.csv"], "fileOptions": [{"file": "a.csv", "id": "NR"}]},
            "fileOptions",
            "fileOptions: a.csv: id: must name columns in braces",
        ),
        (
            {"fileOptions": [{"file": "a.csv", "repair": ["rings", "ring"]}]},
            "fileOptions",
            "item 1 repair: there is no repair 'ring'. Repairs: rings, simplify, parts, lines.",
        ),
        ({"fileOptions": [{"file": "a.csv", "repair": "yes"}]}, "fileOptions", "item 1 repair: must be true, false"),
        (
            {"objectKeys": ["a.csv"], "fileOptions": [{"file": "a.csv", "lineWidth": 0.5}]},
            "fileOptions",
            "a.csv: lineWidth: the width of a line must be between 1 and 20000 metres, not 0.5.",
        ),
        ({"fileOptions": [{"file": "a.csv"}]}, "fileOptions", "a.csv: it is not among the files"),
        (
            {"objectKeys": ["a.csv"], "fileOptions": [{"file": "a.csv", "map": {"radus": "R"}}]},
            "fileOptions",
            "fileOptions: a.csv: map: there is no field 'radus'",
        ),
    ],
)
def test_an_invalid_value_is_named(secret: Api, body: dict[str, Any], param: str, words: str) -> None:
    response = secret.patch(SYNC, json=body)
    assert_refused(response, param, words)
    assert "12345" not in response.text


def test_a_run_is_answered_with_its_outcome(secret: Api, served: Files, name: str) -> None:
    served.content[f"{name}.csv"] = table((f"{name}1", 100), (f"{name}2", -1))
    secret.patch(SYNC, json={"urls": [served.url(f"{name}.csv")]})
    run = secret.post(RUN).json()["run"]
    assert (run["status"], run["trigger"], run["email"]["status"]) == ("partial", "manual", "none")
    (file,) = run["files"]
    assert (file["created"], file["failed"], file["errors"][0]["column"]) == (1, 1, "radius")
    assert secret.get(SYNC).json()["sync"]["lastRun"] == run
    served.content[f"{name}.csv"] = table((f"{name}1", 100))
    assert secret.post(RUN).json()["run"]["files"][0]["outcome"] == "imported"
    assert secret.post(RUN).json()["run"]["files"][0]["outcome"] == "unchanged"
    assert secret.post(RUN, params={"force": "true"}).json()["run"]["files"][0]["outcome"] == "imported"


def test_a_portal_file_is_synced_with_its_mapping(secret: Api, served: Files, name: str) -> None:
    served.content["portal.csv"] = f"OBJECTID,NAME,Area\n{name},Zone,12\n".encode()
    file, fixed = served.url("portal.csv"), {"tag": "zone", "type": "circle", "coordinates": "[9.5,47.1]"}
    options = {"file": file, "map": {"externalId": "OBJECTID", "description": "NAME"}, "set": {**fixed, "radius": "80"}}
    changed = secret.patch(SYNC, json={"urls": [file], "fileOptions": [options]})
    assert changed.json()["sync"]["fileOptions"] == [options]
    (read,) = secret.post(RUN).json()["run"]["files"]
    assert (read["created"], read["ignoredColumns"], read["warnings"]) == (1, ["Area"], [])
    assert secret.get(f"/v1/geofences/zone/{name}").json()["geofence"]["description"] == "Zone"
    served.content["portal.csv"] = f"FID,NAME,Area\n{name},Zone,12\n".encode()
    run = secret.post(RUN).json()["run"]
    assert run["status"] == "failed"
    assert "no column 'OBJECTID', which is mapped to externalId" in run["files"][0]["message"]
    assert secret.get(f"/v1/geofences/zone/{name}").status_code == 200


def test_what_opening_hours_leave_out_is_answered_and_in_the_history(secret: Api, served: Files, name: str) -> None:
    table = f'description,type,tag,externalId,coordinates,radius,opening_hours\nS,circle,store,{name},"[9,47]",50,'
    served.content[f"{name}.csv"] = (table + "Mo-Fr 08:00-18:00; PH off\n").encode()
    secret.patch(SYNC, json={"urls": [served.url(f"{name}.csv")]})
    (file,) = secret.post(RUN).json()["run"]["files"]
    warning = {"row": 2, "column": "operatingHours", "message": "Public holidays are left out: 'PH closed'."}
    assert (file["outcome"], file["warned"], file["warnings"]) == ("imported", 1, [warning])
    record = secret.get("/v1/imports").json()["imports"][0]
    assert (record["failed"], record["warned"], record["warnings"]) == (0, 1, [warning])
    hours = secret.get(f"/v1/geofences/store/{name}").json()["geofence"]["operatingHours"]
    workdays = {day: [["08:00", "18:00"]] for day in ("Mon", "Tue", "Wed", "Thu", "Fri")}
    assert hours == workdays | {"Sat": [], "Sun": []}


def test_geofences_removed_from_a_file_are_deleted_and_can_be_restored(
    engine: Engine, secret: Api, served: Files, name: str
) -> None:
    other = ImportFile(table((f"{name}9", 100)), "other.csv", Channel.FILE)
    engine.imports.run(Environment.TEST, other)
    served.content["a.csv"] = table((f"{name}1", 100), (f"{name}2", 100))
    secret.patch(SYNC, json={"urls": [served.url("a.csv")], "deleteMissing": True})

    def run() -> Any:
        return secret.post(RUN).json()["run"]["deleted"]

    def there() -> str:
        found = (number for number in "129" if secret.get(f"/v1/geofences/store/{name}{number}").status_code == 200)
        return "".join(found)

    assert (run(), there()) == (0, "129")
    served.content["a.csv"] = table((f"{name}1", 100))
    assert (run(), there()) == (1, "19"), "what another import made stays"
    (record, *_) = secret.get("/v1/imports").json()["imports"]
    assert (record["channel"], record["deleted"], record["undoable"]) == ("sync", 1, True)
    assert secret.post(f"/v1/imports/{record['_id']}/undo").status_code == 200
    assert there() == "129"
    assert (run(), there()) == (0, "129"), "the next night does not delete it again"


def test_a_run_without_files_names_the_missing_setting(secret: Api) -> None:
    assert_refused(secret.post(RUN), "urls", "required")


def test_one_runs_at_a_time_and_can_be_cancelled(secret: Api, served: Files) -> None:
    hold, requested = threading.Event(), threading.Event()

    def before() -> None:
        requested.set()
        hold.wait(30)

    served.before = before
    served.content["slow.csv"] = table(("slow", 100))
    secret.patch(SYNC, json={"urls": [served.url("slow.csv")]})
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(secret.post(RUN).json()))
    thread.start()
    try:
        assert requested.wait(30)
        assert secret.get(SYNC).json()["sync"]["running"]
        assert_refused(secret.post(RUN), "sync", "running already", status=409)
        assert secret.delete(RUN).json()["cancelled"] is True
        thread.join(30)
    finally:
        hold.set()
    assert answers[0]["run"]["status"] == "cancelled"
    assert secret.delete(RUN).json()["cancelled"] is False


def test_a_publishable_key_reaches_none_of_it(publishable: Api) -> None:
    for method, path in (("GET", SYNC), ("PATCH", SYNC), ("POST", RUN), ("DELETE", RUN)):
        assert publishable.request(method, path, json={} if method == "PATCH" else None).status_code == 403
