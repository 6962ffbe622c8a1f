"""Diagnostics: their content, and the absence of secrets that were planted everywhere."""

from __future__ import annotations

import logging
import re
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.diagnostics.bundle import save
from app.diagnostics.collecting import Part, Subject, collect
from app.diagnostics.desktop import advice, missing_packages
from app.diagnostics.log import LINES, RecentLog
from app.diagnostics.scrubbing import Scrubber
from app.main import main
from app.session import WorkspaceSession
from engine.domain.environment import Environment
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point
from engine.domain.settings import Comparison, Condition, SegmentRule, SettingsChange
from engine.domain.tracking.updates import LocationUpdate
from engine.domain.webhooks.webhook import WebhookChange
from engine.store.workspace import DATABASE
from tests.app.commands import Commands

TEST = Environment.TEST
PLANTED = "Planted"
PARTS = ["system.json", "database.json", "settings.json", "areas.json", "performance.json", "log.txt"]
LOG = (
    "2026-05-12 WARNING outbound: https://bob:PlantedPass@hooks.example.com/PlantedPath?key=PlantedQuery failed",
    "2026-05-12 WARNING api: Authorization: Bearer PlantedBearer.abc.def",
    "2026-05-12 ERROR store: user 'PlantedUser' at 46.051234, 14.506789 from 203.0.113.77",
    "2026-05-12 ERROR mail: planted.person@example.com refused; smtp_password=PlantedWord",
    '2026-05-12 ERROR imports: row "PlantedRow" {"token": "PlantedToken", "api_key": PlantedKey}',
    "2026-05-12 ERROR keys: prj_live_sk_PlantedPlantedPlantedPlanted0123456789 refused",
    f'  File "{Path.home()}/planted/app.py", line 3, in work',
    "2026-05-12 WARNING map: PlantedId0123456789abcdef0123456789abcdef is not known",
)


def plant(session: WorkspaceSession) -> list[str]:
    """Put secrets and users' data everywhere in a workspace; return the secrets that no pattern matches."""
    engine = session.engine
    rule = SegmentRule("Planted segment", "planted", (Condition("metadata.plan", Comparison.EQUALS, "PlantedPlan"),))
    engine.settings.change(TEST, SettingsChange(segments=(rule,)))
    engine.geofences.create(
        TEST,
        GeofenceChange(
            tag="planted-tag",
            external_id="PlantedExternal",
            description="Planted store",
            type="circle",
            coordinates=(14.506789, 46.051234),
            size=120.0,
            metadata={"PlantedMetadata": "PlantedValue"},
        ),
    )
    engine.tracking.track(
        TEST, LocationUpdate("PlantedDevice", Point(14.506789, 46.051234), 5.0, user_id="PlantedUser")
    )
    engine.webhooks.create(TEST, WebhookChange(url="https://u:PlantedPass@example.com/x", token="PlantedToken"))
    return [key.value for key in engine.workspace.keys.all()]


@pytest.fixture
def planted(tmp_path: Path) -> Iterator[tuple[Path, list[str]]]:
    folder = tmp_path / "workspace"
    with WorkspaceSession(folder) as session:
        secrets = plant(session)
        (folder / "secrets.json").write_bytes(orjson.dumps({"test": {"smtp": ["hunter2-of-the-server"]}}))
        yield folder, [*secrets, "hunter2-of-the-server"]


def contents(file: Path) -> dict[str, str]:
    with ZipFile(file) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def check_clean(texts: dict[str, str], secrets: list[str]) -> None:
    for name, text in texts.items():
        assert "planted" not in text.lower(), (name, re.findall(r".*planted.*", text, re.IGNORECASE)[:3])
        for secret in (*secrets, "46.051234", "14.506789", "203.0.113.77", "hooks.example.com", str(Path.home())):
            assert secret not in text, (name, secret)


def test_nothing_that_was_planted_is_in_the_bundle(planted: tuple[Path, list[str]], tmp_path: Path) -> None:
    folder, secrets = planted
    log = (*LOG, f"the password {secrets[-1]} and {secrets[0][9:]} were typed")
    preferences = {"searches": "PlantedSearch", "recent": ["/home/planted"], "homeLatitude": 46.051234, "width": 1280}
    parts = collect(Subject(folder, preferences, log, secrets=(secrets[0][9:],)))
    save(parts, tmp_path / "bundle.zip")
    found = contents(tmp_path / "bundle.zip")
    assert [*found] == ["README.txt", *PARTS]
    check_clean(found, secrets)
    assert len(found["log.txt"].splitlines()) == len(log), "lines are scrubbed, not dropped"
    assert 'File "…/app.py", line 3' in found["log.txt"], "where an error was is kept"
    assert orjson.loads(found["settings.json"])["window"]["width"] == 1280
    assert stat.S_IMODE((tmp_path / "bundle.zip").stat().st_mode) == 0o600


def test_the_bundle_has_helpful_information(planted: tuple[Path, list[str]], tmp_path: Path) -> None:
    found = {part.name: part.content for part in collect(Subject(planted[0]))}
    system, database = orjson.loads(found["system.json"]), orjson.loads(found["database.json"])
    assert system["qt"].keys() == {"qt", "webEngine", "chromium"}
    assert system["packages"]["SQLAlchemy"]
    assert system["data"].keys() == {"world", "areas", "cities"}
    assert set(system["data"].values()) <= {"current", "of another version", "missing"}
    assert database["sound"]
    assert database["problems"] == []
    assert database["counts"]["geofences"] == {"test": 1, "live": 0}
    assert database["counts"]["webhooks"]["test"] == 1
    assert database["sizesBytes"][DATABASE] > 0
    settings = orjson.loads(found["settings.json"])["project"]["test"]
    assert settings["segments"] == "(1 in the list)"
    assert "helsinki" in {area["name"] for area in orjson.loads(found["areas.json"])}
    assert orjson.loads(found["performance.json"])["programMb"] > 10


def test_the_command_works_while_a_window_has_the_workspace_open(
    fencewright: Commands, planted: tuple[Path, list[str]], tmp_path: Path
) -> None:
    folder, secrets = planted
    file = tmp_path / "out.zip"
    shown = fencewright("diagnostics", "--workspace", folder)
    assert shown.code == 0
    assert [line.split()[0] for line in shown.out.splitlines() if line][: len(PARTS)] == PARTS
    ended = fencewright("diagnostics", "--workspace", folder, "--output", file, "--json")
    assert [part["name"] for part in ended.json["parts"]] == PARTS
    check_clean(contents(file), secrets)
    assert fencewright("diagnostics", "--workspace", folder, "--output", tmp_path / "out.txt").code == 1
    assert fencewright("diagnostics", "--workspace", tmp_path / "nowhere", "--output", file).code == 1
    assert not (tmp_path / "nowhere").exists()


def test_a_damaged_database_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with WorkspaceSession(folder) as session:
        for number in range(300):
            session.engine.tracking.track(TEST, LocationUpdate(f"device-{number}", Point(14.5, 46.05), 5.0))
    file = folder / DATABASE
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = bytearray(file.read_bytes())
    middle = len(whole) // 2 // 4096 * 4096
    whole[middle : middle + 8192] = b"\xa5" * 8192
    file.write_bytes(whole)
    (found,) = (orjson.loads(part.content) for part in collect(Subject(folder)) if part.name == "database.json")
    assert not found["sound"]
    assert found["problems"]
    (folder / DATABASE).unlink()
    (absent,) = (orjson.loads(part.content) for part in collect(Subject(folder)) if part.name == "database.json")
    assert (absent["there"], absent["sound"]) == (False, False)


def test_the_log_keeps_its_last_lines(tmp_path: Path) -> None:
    log = RecentLog()
    logger = logging.Logger("a")
    logger.addHandler(log)
    for number in range(LINES + 5):
        logger.warning("line %d", number)
    logger.info("not kept")
    assert len(log.lines) == LINES
    assert log.lines[-1].endswith(f"line {LINES + 4}")


@given(st.text("abcdefghij0123456789", min_size=20, max_size=40), st.sampled_from(("token=", "secret: ", "Bearer ")))
def test_a_secret_is_left_out_whatever_it_looks_like(secret: str, before: str) -> None:
    assert secret not in Scrubber().text(f"a line with {before}{secret} in it")
    assert secret not in Scrubber((secret,)).text(f"x{secret}y")


def test_parts_are_not_written_on_failure(tmp_path: Path) -> None:
    from engine.domain.errors import InvalidParameter

    with pytest.raises(InvalidParameter) as refused:
        save((Part("a.txt", "a", "b"),), tmp_path / "missing" / "a.zip")
    assert refused.value.param == "output"
    assert list(tmp_path.iterdir()) == []


def test_a_headless_installation_says_what_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_packages() == ()
    for name in ("folium", "pyqtgraph"):
        monkeypatch.setitem(sys.modules, name, None)
    system = orjson.loads(collect(Subject(None))[0].content)
    assert system["missingForDesktop"] == ["folium", "pyqtgraph"]


@pytest.mark.parametrize("arguments", [[], ["desktop"], ["demo"], ["demo", "--screenshot", "picture.png"]])
def test_a_headless_installation_says_how_to_add_the_window(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "folium", None)
    monkeypatch.setattr(sys, "argv", ["fencewright", *arguments])
    assert main() == 1
    assert capsys.readouterr() == ("", f"fencewright: {advice()}\n")
    assert advice().endswith(" 'fencewright[desktop]'")
