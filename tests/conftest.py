"""Fixtures for all tests."""

import gc
import os
import re
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import httpx
import pytest
from hypothesis import settings

from app.desktop.start.imports import import_plainly
from app.main import SWITCHED_AFTER_S
from tests.distribution import LATER, PartScheduling
from tests.resident import RESIDENT
from tests.shared import SharedData

# pytest-qt has loaded PySide6, which would read and keep the source of every module that is imported afterwards.
import_plainly()

sys.setswitchinterval(SWITCHED_AFTER_S)

# The duration of an example depends on the machine. Hanging tests are ended by pytest's own limit.
# The first tier draws fewer examples (packaging/test.sh).
settings.register_profile("fencewright", deadline=None)
settings.register_profile("brief", deadline=None, max_examples=25)
settings.load_profile("fencewright")

# Each httpx client of a test would read all certificates of the system, which takes 20 ms. None of them is that of a
# test server.
_TRUST = httpx.create_ssl_context()
_httpx: Any = import_module("httpx._transports.default")
_make_context = _httpx.create_ssl_context
_httpx.create_ssl_context = lambda verify=True, **options: (
    _TRUST if verify is True else _make_context(verify, **options)
)

# If a test sets no timeout, httpx waits for 5 s, which may be too short on a busy machine. All its functions share this
# default object.
_WITHIN: httpx.Timeout = import_module("httpx._config").DEFAULT_TIMEOUT_CONFIG
_WITHIN.connect = _WITHIN.read = _WITHIN.write = _WITHIN.pool = 60.0

# Tests must not read or write the keyring of the user who runs them.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

# Nor their settings, in which commands store the workspaces that they open.
_SETTINGS = TemporaryDirectory(prefix="fencewright-tests-")
os.environ["XDG_CONFIG_HOME"] = _SETTINGS.name

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # SIGINT is ignored if a shell runs the tests in the background. Programs that tests start and interrupt would
    # inherit this.
    signal.signal(signal.SIGINT, signal.default_int_handler)

_GRACE_S = 30.0
_POOLS = ("asyncio_", "uvloop_", "fencewright-routing-", "fencewright-outbound", "fencewright-trips", "Dask-Offload")
"""Threads of an event loop, a router, a remote server or Dask, which end with it.

It may serve a whole module of tests.
"""
_TESTS = Path(__file__).parent
_LONGEST = (
    "packaging/test_workflows.py",
    "packaging/test_linux_packages.py",
    "packaging/test_installed.py",
    "packaging/test_container.py",
    "packaging/test_headless.py",
    "engine/routing/test_real_areas.py",
    "engine/routing/test_same_way.py",
    "engine/areas/test_gazetteer_real.py",
    "app/test_processes.py",
    "desktop/window/",
)
"""Slow files, which begin first, since the other processes would have to wait for one that began last."""

_TIMED = "hostile/"
"""Folder of tests that measure response times, whose files begin among short ones, one at a time."""

_NO_TEXT = re.compile(rb"[^\x20-\x7e\r\n\t]")


def pytest_configure(config: pytest.Config) -> None:
    """Register the markers of tests that need shared files, for ``-m shared_data``, and of tests that measure time."""
    config.addinivalue_line("markers", "shared_data: a test wants files of the shared folder")
    config.addinivalue_line("markers", "slow: an exhaustive test, or one of a real area, a build or a long run")
    config.addinivalue_line("markers", "second_try(reason): a test measures time, and is run again if it fails")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark tests that need shared files, and allow a rerun of tests that measure time."""
    fixtures = getattr(item, "fixturenames", ())
    if "shared_data" in fixtures:
        item.add_marker("shared_data")
    # Without the slow tests there are drawn towns only, also where the shared folder is.
    if "real_extracts" in fixtures:
        item.add_marker("slow")
    if item.get_closest_marker("second_try") is not None:
        item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def shared_data() -> SharedData:
    """The real extracts and recorded tracks."""
    return SharedData()


@pytest.fixture(scope="session")
def real_extracts(shared_data: SharedData) -> None:
    """Skip a test for which the drawn towns have too little data."""
    shared_data.extract("liechtenstein")


def pytest_make_parametrize_id(val: Any, argname: str) -> str | None:
    """Name non-text bytes by their parameter, since packed data may contain the time of day.

    Parallel test processes fail if one of them collects a test under another ID.
    """
    return argname if isinstance(val, bytes) and _NO_TEXT.search(val) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Disable garbage collection during collection, and exclude its objects later, as most are kept."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort files in the order in which several processes take them. Tests that run later follow the longest files."""
    files = list(dict.fromkeys(item.path for item in items))
    names = {file: file.relative_to(_TESTS).as_posix() for file in files}
    longest = [file for start in _LONGEST for file in files if names[file].startswith(start)]
    timed = [file for file in files if names[file].startswith(_TIMED)]
    order = [file for file in files if file not in longest and file not in timed]
    step = len(order) // (len(timed) + 1)
    for number, file in enumerate(timed, start=1):
        order.insert(number * (step + 1) - 1, file)
    place = {file: number for number, file in enumerate((*longest, *order))}
    items.sort(key=lambda item: len(longest) - 0.5 if item.stash.get(LATER, False) else place[item.path])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> PartScheduling | None:
    """Let processes take the tests of a file that run later apart from the others."""
    return PartScheduling(config, log) if config.getvalue("dist") == "loadfile" else None


@pytest.fixture(autouse=True)
def no_thread_left_running() -> Iterator[None]:
    """Fail a test that leaves a thread running. A thread that ends soon is accepted."""
    before = set(threading.enumerate())
    yield
    deadline = monotonic() + _GRACE_S
    after = [thread for thread in threading.enumerate() if thread not in before and thread not in RESIDENT]
    left = [thread for thread in after if not thread.name.startswith(_POOLS)]
    for thread in left:
        thread.join(max(0.0, deadline - monotonic()))
    if alive := sorted(thread.name for thread in left if thread.is_alive()):
        pytest.fail("left running: " + ", ".join(alive))
