"""The Debian package and the archive in bare Debian systems: they install, run, upgrade, and leave nothing behind."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import Struct
from PySide6.QtGui import QImage

from tests.engine.store.earlier import EARLIER, make
from tests.packaging.built_program import built_file
from tests.packaging.checkout import ROOT
from tests.packaging.debian_root import DebianRoot, debian_root

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can enter another system"),
]

USER = "ann"
WORKSPACE = "/home/ann/workspace"
EARLIER_WORKSPACE = "/home/ann/earlier"
PROGRAM = "/usr/lib/fencewright"
LEFT_OVER = f"{PROGRAM}/_internal/only_in_the_older_version"

_STARTED_WITHIN_S = 120.0
_DEVICE = {"deviceId": "phone", "userId": "ann", "latitude": 46.05, "longitude": 14.5, "accuracy": 5}


class Upgraded(Struct, frozen=True):
    """A system with the package, installed over an older version, and the observations from before."""

    root: DebianRoot
    commands_before: str
    version_before: str
    records_before: dict[str, list[Any]]


class Served(Struct, frozen=True):
    """A served workspace, and headers with its secret key for Test."""

    url: str
    headers: dict[str, str]

    def get(self, path: str) -> httpx.Response:
        """Return the answer to a request."""
        return httpx.get(f"{self.url}{path}", headers=self.headers, timeout=60)

    def records(self) -> dict[str, list[Any]]:
        """Return the IDs of everything that the workspace has."""
        found = {}
        for kind in ("geofences", "users", "events"):
            answer = self.get(f"/v1/{kind}?limit=1000")
            assert answer.status_code == 200, answer.text
            found[kind] = sorted(record["_id"] for record in answer.json()[kind])
        return found


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Debian package."""
    return built_file("deb", "fencewright_*.deb", tmp_path_factory)


@pytest.fixture(scope="module")
def older(package: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The package as a version before all others, with a file that the new one does not have."""
    folder = tmp_path_factory.mktemp("older")
    root = folder / "root"
    subprocess.run(["dpkg-deb", "-R", package, root], check=True, timeout=600)
    control = root / "DEBIAN" / "control"
    control.write_text(re.sub("^Version: .*$", "Version: 0.0.1", control.read_text(), flags=re.MULTILINE))
    (root / LEFT_OVER.lstrip("/")).write_text("older")
    file = folder / "fencewright_0.0.1.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zzstd", "-z1", "-b", root, file], check=True, timeout=900)
    shutil.rmtree(root)
    yield file
    file.unlink()


@pytest.fixture(scope="module")
def upgraded(package: Path, older: Path) -> Iterator[Upgraded]:
    """A bare system in which the older version has made a workspace and was then replaced."""
    shared = {package.parent: "/new", older.parent: "/old"}
    with debian_root(shared=shared) as root:
        commands = root.sh("command -v python3 python pip uv npm node || true").stdout
        root.run(["useradd", "--create-home", USER])
        root.run(["apt-get", "-q", "update"])
        root.run(["apt-get", "-q", "install", "-y", f"/old/{older.name}"], timeout_s=1800)
        version = root.run(["dpkg-query", "-W", "-f", "${Version}", "fencewright"]).stdout
        with serving(root, WORKSPACE) as served:
            fill(served)
            before = served.records()
        root.copy_in(make(older.parent / "workspace", EARLIER[-1]).parent, EARLIER_WORKSPACE)
        root.run(["chown", "-R", f"{USER}:", EARLIER_WORKSPACE])
        root.run(["apt-get", "-q", "install", "-y", f"/new/{package.name}"], timeout_s=1800)
        yield Upgraded(root, commands, version, before)


@contextmanager
def serving(root: DebianRoot, workspace: str) -> Iterator[Served]:
    """Serve a workspace as an ordinary user."""
    ready = "/home/ann/ready.json"
    command = ["fencewright", "serve", "--workspace", workspace, "--port", "0", "--ready-file", ready]
    with (root.path / "tmp/serve.log").open("w") as log:
        process = root.start(command, user=USER, stderr=log)
    inside = root.path / ready.lstrip("/")
    end = time.monotonic() + _STARTED_WITHIN_S
    while not inside.exists():
        log_text = (root.path / "tmp/serve.log").read_text()
        assert process.poll() is None, log_text
        assert time.monotonic() < end, log_text
        time.sleep(0.1)
    started = json.loads(inside.read_bytes())
    try:
        yield Served(started["url"], {"Authorization": started["keys"]["test"]["secret"]})
    finally:
        root.sh(f"kill {started['pid']}")
        code = process.wait(60)
    assert code == 0
    assert not inside.exists()


def fill(served: Served) -> None:
    """Create a geofence, and events of a user who enters and leaves it."""
    place = {"description": "Shop", "type": "circle", "coordinates": "[14.5,46.05]", "radius": 100}
    answer = httpx.put(f"{served.url}/v1/geofences/store/1", headers=served.headers, json=place, timeout=60)
    assert answer.status_code == 200, answer.text
    entered = httpx.post(f"{served.url}/v1/track", headers=served.headers, json=_DEVICE, timeout=60)
    assert [event["type"] for event in entered.json()["events"]] == ["user.entered_geofence"], entered.text


def test_the_package_needs_no_python_npm_or_uv(upgraded: Upgraded) -> None:
    assert upgraded.commands_before == ""
    assert upgraded.root.sh("command -v python3 npm node uv || true").stdout == ""


def test_every_library_is_there_and_every_file_loads(upgraded: Upgraded) -> None:
    files = f"find {PROGRAM} -type f \\( -name '*.so*' -o -perm -u+x \\) ! -name '*.py'"
    # For each file, since ldd ends at the first one that crashes.
    each = '-exec sh -c \'ldd "$1" 2>&1 | sed "s#^#$1: #"\' sh {} \\;'
    # The program sets this variable for itself, too.
    path = {"LD_LIBRARY_PATH": f"{PROGRAM}/_internal"}
    lines = upgraded.root.sh(f"{files} {each}", env=path).stdout.splitlines()
    assert len(lines) > 2_000
    # Printing needs a library that the package only recommends.
    missing = [line for line in lines if "not found" in line or "exited with" in line]
    assert [line for line in missing if "/printsupport/" not in line] == []


def test_the_upgrade_replaces_the_program(upgraded: Upgraded, package: Path) -> None:
    root = upgraded.root
    assert upgraded.version_before == "0.0.1"
    version = root.run(["dpkg-query", "-W", "-f", "${Version}", "fencewright"]).stdout
    assert package.name.startswith(f"fencewright_{version}_")
    assert not (root.path / LEFT_OVER.lstrip("/")).exists()
    assert root.run(["dpkg", "--verify", "fencewright"]).stdout == ""
    shown = root.run(["fencewright", "--version"], user=USER).stdout
    assert shown == f"fencewright {version.replace('~', '')}\n"


def test_workspaces_of_the_older_version_are_kept(upgraded: Upgraded) -> None:
    assert all(upgraded.records_before.values())
    with serving(upgraded.root, WORKSPACE) as served:
        assert served.records() == upgraded.records_before
    with serving(upgraded.root, EARLIER_WORKSPACE) as served:
        assert all(served.records().values())


def test_the_server_answers_and_has_all_data(upgraded: Upgraded) -> None:
    with serving(upgraded.root, "/home/ann/served") as served:
        assert served.get("/v1/ping").status_code == 200
        assert "<html" in served.get("/docs").text.lower()
        fill(served)
        searched = served.get("/v1/search/autocomplete?query=Mannerheim").json()
        assert searched["addresses"], "the bundled area is missing"
        found = served.get("/v1/geocode/forward?query=Ljubljana").json()
        assert found["addresses"][0]["country"] == "Slovenia", "the world pack is missing"
        way = "origin=60.17,24.94&destination=60.18,24.95&modes=car&units=metric"
        routes = served.get(f"/v1/route/distance?{way}").json()
        assert routes["routes"]["car"]["distance"]["value"] > 1_000, "there is no routing"


def test_formats_and_scenarios_run_in_processes_of_their_own(upgraded: Upgraded) -> None:
    root = upgraded.root
    kml = "<kml xmlns='http://www.opengis.net/kml/2.2'><Placemark><name>A</name><Polygon><outerBoundaryIs><LinearRing>"
    kml += "<coordinates>14.5,46 14.6,46 14.6,46.1 14.5,46</coordinates></LinearRing></outerBoundaryIs></Polygon>"
    (root.path / "home/ann/a.kml").write_text(f"{kml}</Placemark></kml>")
    options = ["--workspace", "/home/ann/formats"]
    choice = ["--id", "numbers", "--set", "tag=store", "--map", "description=Name"]
    root.run(["fencewright", "import", "/home/ann/a.kml", *options, *choice], user=USER)
    for name in ("a.gpkg", "a.csv"):
        root.run(["fencewright", "export", "--output", f"/home/ann/{name}", *options], user=USER)
        assert (root.path / "home/ann" / name).stat().st_size > 100
    root.copy_in(ROOT / "docs/scenarios/store.fence.yaml", "/tmp/store.fence.yaml")
    done = root.run(["fencewright", "test", "/tmp/store.fence.yaml", "--json"], user=USER)
    assert json.loads(done.stdout)["counts"]["passed"] == 1


@pytest.mark.parametrize("user", ["root", USER])
def test_the_window_opens_on_a_screen(upgraded: Upgraded, user: str) -> None:
    root = upgraded.root
    root.install("xvfb", "xauth")
    picture = f"/tmp/demo-of-{user}.png"
    command = ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", "fencewright", "demo", "--screenshot", picture]
    german = {"LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"} if user == USER else {}
    done = root.run(command, user=user, env=german, timeout_s=300)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[0]["type"] == "user.entered_geofence"
    image = QImage(str(root.path / picture.lstrip("/")))
    assert (image.width(), image.height()) == (1280, 800)
    colors = {image.pixelColor(x, y).name() for x in range(230, 980, 5) for y in range(60, 540, 5)}
    assert len(colors) > 20, "the map is empty"


def test_removing_the_package_keeps_only_workspaces(upgraded: Upgraded) -> None:
    root = upgraded.root
    root.run(["apt-get", "-q", "purge", "-y", "fencewright"], timeout_s=600)
    root.run(["apt-get", "-q", "autoremove", "-y", "--purge"], timeout_s=600)
    assert "fencewright" not in root.run(["dpkg", "-l"]).stdout
    found = root.sh("find / -xdev -iname '*fencewright*' ! -path '/home/*' ! -path '/root/*' ! -path '/tmp/*'").stdout
    assert found == ""
    assert (root.path / WORKSPACE.lstrip("/") / "keys.json").exists()


def test_the_archive_runs_without_installation(tmp_path_factory: pytest.TempPathFactory) -> None:
    archive = built_file("tar", "fencewright-*.tar.zst", tmp_path_factory)
    with debian_root(shared={archive.parent: "/new"}) as root:
        root.install("zstd")
        root.run(["useradd", "--create-home", USER])
        root.sh(f"tar --zstd -xf /new/{archive.name}; mv fencewright-* unpacked", user=USER)
        version = root.run(["unpacked/bin/fencewright", "--version"], user=USER).stdout
        assert archive.name.startswith(f"fencewright-{version.split()[1]}-linux-")
        root.run(["sh", "unpacked/install.sh"], user=USER)
        shown = root.run([".local/bin/fencewright", "--version"], user=USER).stdout
        assert shown == version
        root.run(["sh", ".local/lib/fencewright/install.sh", "--uninstall"], user=USER)
        assert not (root.path / "home/ann/.local/lib/fencewright").exists()
