"""Fixtures for every test."""

import gc
import os
import re
import signal
import sys
import threading
from collections.abc import Generator, Iterator
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

import httpx
import pytest
from hypothesis import settings

from app.desktop.start.imports import import_plainly
from app.main import SWITCHED_AFTER_S
from tests.resident import RESIDENT
from tests.shared import SharedData

# pytest-qt has loaded PySide6, which would read the source of each module that is loaded from here on, and keep it.
import_plainly()

sys.setswitchinterval(SWITCHED_AFTER_S)

# How long an example takes tells of the machine; pytest's own limit ends what hangs.
settings.register_profile("fencewright", deadline=None)
settings.load_profile("fencewright")

# Each client of httpx that a test makes would read all certificates that there are, which takes 20 ms. None of them is
# that of a server of a test.
_TRUST = httpx.create_ssl_context()
_httpx: Any = import_module("httpx._transports.default")
_make_context = _httpx.create_ssl_context
_httpx.create_ssl_context = lambda verify=True, **options: (
    _TRUST if verify is True else _make_context(verify, **options)
)

# Where a test does not say how long it waits for an answer, httpx would wait 5 s, which a busy machine may exceed.
# All of its functions have this very object as their default.
_WITHIN: httpx.Timeout = import_module("httpx._config").DEFAULT_TIMEOUT_CONFIG
_WITHIN.connect = _WITHIN.read = _WITHIN.write = _WITHIN.pool = 60.0

# No test is to ask for, or leave behind, anything in the keyring of whoever runs it.
os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # As in the background of a shell. The programs that tests start and interrupt would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)

_GRACE_S = 30.0
_POOLS = ("asyncio_", "uvloop_", "fencewright-routing-", "fencewright-outbound", "fencewright-trips")
"""The threads of an event loop, a router or a remote server; they end with it, and it may serve a whole module of
tests."""
_TESTS = Path(__file__).parent
_LONGEST = (
    "engine/routing/test_real_areas.py",
    "engine/routing/test_same_way.py",
    "engine/areas/test_gazetteer_real.py",
    "app/test_processes.py",
    "desktop/window/",
)
"""Files that take long begin first: one that began last would keep the other processes waiting."""

_TIMED = "hostile/"
"""Measures how soon the server answers, so that its files begin among short ones, one at a time."""

_NO_TEXT = re.compile(rb"[^\x20-\x7e\r\n\t]")


def pytest_configure(config: pytest.Config) -> None:
    """Know the markers of tests that want shared files, for ``-m shared_data``, and of those that measure time."""
    config.addinivalue_line("markers", "shared_data: a test wants files of the shared folder")
    config.addinivalue_line("markers", "second_try(reason): a test measures time, and is run again if it fails")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark tests that want shared files, and let those that measure time be run again."""
    if "shared_data" in getattr(item, "fixturenames", ()):
        item.add_marker("shared_data")
    if item.get_closest_marker("second_try") is not None:
        item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def shared_data() -> SharedData:
    """The real extracts and recorded tracks."""
    return SharedData()


@pytest.fixture(scope="session")
def real_extracts(shared_data: SharedData) -> None:
    """Skip a test for which the drawn towns have too little."""
    shared_data.extract("liechtenstein")


def pytest_make_parametrize_id(val: Any, argname: str) -> str | None:
    """Name bytes that are no text by their parameter: what is packed may hold the time of day.

    The processes of a run refuse to work together where one of them collects a test by another ID.
    """
    return argname if isinstance(val, bytes) and _NO_TEXT.search(val) else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected: nearly all that is made there stays; nor in it later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files into the order in which several processes take them; within a file nothing changes."""
    files = list(dict.fromkeys(item.path for item in items))
    names = {file: file.relative_to(_TESTS).as_posix() for file in files}
    longest = [file for start in _LONGEST for file in files if names[file].startswith(start)]
    timed = [file for file in files if names[file].startswith(_TIMED)]
    order = [file for file in files if file not in longest and file not in timed]
    step = len(order) // (len(timed) + 1)
    for number, file in enumerate(timed, start=1):
        order.insert(number * (step + 1) - 1, file)
    place = {file: number for number, file in enumerate((*longest, *order))}
    items.sort(key=lambda item: place[item.path])


@pytest.fixture(autouse=True)
def no_thread_left_running() -> Iterator[None]:
    """Fail a test that leaves a thread running; one that ends soon has ended."""
    before = set(threading.enumerate())
    yield
    deadline = monotonic() + _GRACE_S
    after = [thread for thread in threading.enumerate() if thread not in before and thread not in RESIDENT]
    left = [thread for thread in after if not thread.name.startswith(_POOLS)]
    for thread in left:
        thread.join(max(0.0, deadline - monotonic()))
    if alive := sorted(thread.name for thread in left if thread.is_alive()):
        pytest.fail("left running: " + ", ".join(alive))
