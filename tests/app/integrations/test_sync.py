"""``fencewright sync``, on a closed workspace and on one that is open elsewhere."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.commands import Commands
from tests.engine.nightly.servers import SECRET, Files, files, table


@pytest.fixture
def served() -> Iterator[Files]:
    with files() as served:
        yield served


def test_it_is_set_shown_and_run(fencewright: Commands, workspace: Path, served: Files) -> None:
    at = ("--workspace", workspace)
    fencewright("settings", "--set", "allowPrivateUrls=true", *at)
    served.content["a.csv"] = table(("1", 100), ("2", 200))
    ended = fencewright("sync", "set", f"urls={served.url('a.csv')}", "hour=4", "enabled=true", *at)
    assert (ended.code, ended.err) == (0, ""), ended
    assert "hour                4\n" in ended.out
    ran = fencewright("sync", "run", *at)
    assert ran.code == 0, ran
    assert "2 rows: 2 created, 0 updated, 0 unchanged, 0 failed" in ran.out
    assert "unchanged" in fencewright("sync", "run", *at).out
    served.content.clear()
    failed = fencewright("sync", "run", "--force", "--json", *at)
    assert (failed.code, failed.json["status"], failed.json["files"][0]["outcome"]) == (1, "failed", "failed")
    shown = fencewright("sync", "show", "--json", *at).json
    assert (shown["hour"], shown["enabled"], shown["lastRun"]["status"]) == (4, True, "failed")
    assert fencewright("sync", "show", "--environment", "live", "--json", *at).json["enabled"] is False


PORTAL = b"OBJECTID,NAME,Lat,Lon,Area\n7,Zone 7,47.1,9.5,12\n"
OF_PORTAL = ("--map", "externalId=OBJECTID", "--map", "description=NAME", "--map", "latitude=Lat")
MAPPED = (*OF_PORTAL, "--map", "longitude=Lon", "--set", "tag=zone", "--set", "type=circle", "--set", "radius=80")


def test_a_portal_file_is_synced_with_the_options_of_import(
    fencewright: Commands, workspace: Path, served: Files
) -> None:
    at = ("--workspace", workspace)
    fencewright("settings", "--set", "allowPrivateUrls=true", *at)
    served.content |= {"portal.csv": PORTAL, "own.csv": table(("1", 100))}
    url, own = served.url("portal.csv"), served.url("own.csv")
    assert fencewright("sync", "set", f"urls={url}", *at).code == 0
    failed = fencewright("sync", "run", *at)
    assert failed.code == 1
    assert "--set tag=VALUE --map externalId=OBJECTID --map description=NAME" in failed.out
    ended = fencewright("sync", "set", *MAPPED, *at)
    assert (ended.code, ended.err) == (0, ""), ended
    assert f"{url} --map externalId=OBJECTID --map description=NAME --map latitude=Lat" in ended.out
    ran = fencewright("sync", "run", *at)
    assert ran.code == 0, ran
    assert "1 row: 1 created" in ran.out
    assert "ignored columns: Area" in ran.out
    # With several files, the one that is meant is named; the options of others stay.
    several = fencewright("sync", "set", f"urls={url},{own}", "--sheet", "A", *at)
    assert several.code == 1
    assert f"--file: must name one of the 2 files of the sync: {url}, {own}" in several.err
    fencewright("sync", "set", f"urls={url},{own}", "--file", own, "--set", "description=Ours", *at)
    shown = fencewright("sync", "show", "--json", *at).json
    assert {each["file"]: each["set"] for each in shown["fileOptions"]} == {
        url: {"tag": "zone", "type": "circle", "radius": "80"},
        own: {"description": "Ours"},
    }
    ruled = fencewright(
        "sync", "set", "--file", own, "--id", "{ZONE}-{NR}", "--repair", "--sheet", "Läden 1", "--metadata", "all", *at
    )
    assert f"{own} --sheet 'Läden 1' --id '{{ZONE}}-{{NR}}' --metadata all --repair" in ruled.out
    some = fencewright("sync", "set", "--file", own, "--repair-only", "simplify,lines", "--line-width", "8", *at)
    assert f"{own} --repair-only lines,simplify --line-width 8" in some.out
    fencewright("sync", "set", "--file", own, "--plain", *at)
    assert [each["file"] for each in fencewright("sync", "show", "--json", *at).json["fileOptions"]] == [url]
    assert fencewright("sync", "set", "fileOptions=", *at).code == 0
    assert fencewright("sync", "show", "--json", *at).json["fileOptions"] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "Give a setting such as hour=3"),
        (("--map", "externalId=A"), "--file: must name one of the 0 files of the sync; give one with urls=URL"),
        (("urls=https://a.example/x.csv", "--map", "exernalId=A"), "x.csv: map: there is no field 'exernalId'"),
        (("urls=https://a.example/x.csv", "--file", "y", "--map", "tag=A"), "y: it is not among the files"),
        (("urls=https://a.example/x.csv", "--file", "https://a.example/x.csv"), "--file: needs options for the file"),
        (("urls=https://a.example/x.csv", "--plain", "--map", "tag=A"), "--plain: cannot be combined"),
        (("fileOptions={",), "fileOptions: '{' is not JSON"),
    ],
)
def test_invalid_options_of_a_file_change_nothing(
    fencewright: Commands, workspace: Path, words: tuple[str, ...], message: str
) -> None:
    ended = fencewright("sync", "set", *words, "--workspace", workspace)
    assert ended.code == 1
    assert message in ended.err
    assert fencewright("sync", "show", "--json", "--workspace", workspace).json["urls"] == []


def test_a_secret_is_read_from_standard_input(
    fencewright: Commands, workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{SECRET}\n"))
    ended = fencewright("sync", "set", "secretAccessKey", "bucket=fences", "--workspace", workspace)
    assert ended.code == 0, ended
    assert "secretAccessKeySet  true" in ended.out
    assert SECRET not in ended.out


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("hours=4", "hours: unknown setting"),
        ("hour=25", "hour: must be within [0, 23]"),
        ("urls=ftp://a", "urls: 'ftp://a' is not an http"),
        ("enabled=true", "urls: is required"),
    ],
)
def test_an_invalid_setting_changes_nothing(
    fencewright: Commands, workspace: Path, assignment: str, message: str
) -> None:
    ended = fencewright("sync", "set", assignment, "--workspace", workspace)
    assert ended.code == 1
    assert message in ended.err
    assert fencewright("sync", "show", "--json", "--workspace", workspace).json["hour"] == 2
