"""Fixtures for all tests of the desktop: WebEngine set up before Qt, one profile, and a check for leftovers."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer, QUrl, SignalInstance
from PySide6.QtWebEngineCore import QWebEnginePage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker
from shiboken6 import Shiboken, delete

from app.desktop.collecting import GuiCollector
from app.desktop.map import MapProfile
from app.desktop.map.scheme import PAGE_URL
from app.desktop.webengine import FLAGS, prepare_webengine
from tests.resident import RESIDENT

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# A proxy that does not exist makes all outgoing connections fail, on every machine alike. A single process for the
# pages of all tests, like one site in a browser, saves half of the cost of a page.
os.environ[FLAGS] = f"{os.environ.get(FLAGS, '')} --proxy-server=127.0.0.1:9 --process-per-site".strip()
prepare_webengine()

_GRACE_SECONDS = 30.0
_DEADLINE_MS = 60_000
"""Generous, since the machine may be busy with other work."""

# Message of WebEngine on a machine without a GPU, before it draws in software as it should.
_NO_GPU = (
    "^QRhiGles2: Failed to create (temporary )?context$",
    "^Failed to create RHI for backend: OpenGL$",
    "^This plugin does not support createPlatformVulkanInstance$",
    "^QVulkanInstance: Failed to initialize Vulkan$",
    "^GBM is not supported with the current configuration",
    "^GPUInfo not initialized on GpuInfoUpdate$",
    # The offscreen platform has no window manager for a size hint.
    r"^This plugin does not support propagateSizeHints\(\)$",
)


def pytest_configure(config: pytest.Config) -> None:
    """Make Qt warnings fail a test, except the ones that only report the missing screen."""
    for pattern in _NO_GPU:
        config.addinivalue_line("qt_log_ignore", pattern)


class PatientBot(QtBot):
    """A pytest-qt bot that waits longer than 5 s unless a test sets a timeout."""

    def waitUntil(  # noqa: N802 (its name in pytest-qt)
        self, callback: Callable[[], bool | None], *, timeout: int = _DEADLINE_MS
    ) -> None:
        """Wait until a condition holds."""
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(  # noqa: N802 (its name in pytest-qt)
        self, signal: SignalInstance, *, timeout: int = _DEADLINE_MS, **options: Any
    ) -> SignalBlocker:
        """Wait for a signal within a block."""
        return super().waitSignal(signal, timeout=timeout, **options)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    """The pytest-qt bot with longer timeouts."""
    return PatientBot(request)


@pytest.fixture(scope="session", autouse=True)
def _imports_are_no_leaks(qapp: QApplication) -> None:
    """Exclude imported objects from later garbage collections, since they are most of the heap and stay."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def _collected_by_the_gui(_imports_are_no_leaks: None, qapp: QApplication) -> Iterator[None]:
    """Collect garbage like the program does: never in a thread of the endpoint or the engine."""
    collector = GuiCollector(qapp)
    yield
    collector.stop()
    collector.deleteLater()


@pytest.fixture(scope="session", autouse=True)
def _profile_goes_last(qapp: QApplication) -> Iterator[None]:
    """Destroy the shared WebEngine profile after the last page and before the application."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    MapProfile.release_shared()


@pytest.fixture(scope="session")
def map_profile(_profile_goes_last: None) -> Iterator[MapProfile]:
    """The only profile of all tests, off the record. It owns the scheme's handler and the interceptor."""
    profile = MapProfile.shared()
    with process_kept(profile):
        yield profile


@contextmanager
def process_kept(profile: MapProfile) -> Iterator[None]:
    """Keep the process of a profile's pages alive between the tests."""
    kept = QWebEnginePage(profile)
    # A small file of the map's own site. The process of the pages exists as long as this page.
    kept.load(PAGE_URL.resolved(QUrl("code/map.css")))
    yield
    delete(kept)


@pytest.fixture(autouse=True)
def nothing_left_running(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[None]:
    """Fail a test of a window that leaves a thread or a timer running. One that ends soon is accepted."""
    if "qtbot" not in request.fixturenames:
        yield
        return
    before = running()
    yield
    deadline = monotonic() + _GRACE_SECONDS
    while left := [runner for runner in newly_running(before) if runner not in RESIDENT]:
        if monotonic() > deadline:
            pytest.fail("left running: " + ", ".join(sorted(map(_describe, left))))
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QCoreApplication.processEvents()
        for runner in left:
            if isinstance(runner, threading.Thread):
                runner.join(0.05)


type Runner = threading.Thread | QThread | QTimer


def running() -> list[Runner]:
    """Return everything known to Python that is running. Qt's own threads and timers have no Python object."""
    # Content that the map's page requests is created for the next page, too.
    found: list[Runner] = [thread for thread in threading.enumerate() if thread.name != "map-content"]
    # There are thousands of objects, and this is called several times for each test.
    timers, threads = _with_subclasses(QTimer), _with_subclasses(QThread)
    kinds = timers | threads
    wrappers: list[Any] = [runner for runner in Shiboken.getAllValidWrappers() if type(runner) in kinds]
    found += [runner for runner in wrappers if (runner.isActive() if type(runner) in timers else runner.isRunning())]
    current = QThread.currentThread()
    return [runner for runner in found if runner is not current]


def _with_subclasses(kind: type) -> set[type]:
    return {kind}.union(*map(_with_subclasses, kind.__subclasses__()))


def newly_running(before: list[Runner]) -> list[Runner]:
    """Return everything that was started since, compared by identity, because IDs of deleted objects are reused."""
    return [runner for runner in running() if not any(runner is other for other in before)]


def _describe(runner: Runner) -> str:
    name = runner.name if isinstance(runner, threading.Thread) else runner.objectName()
    return f"{type(runner).__name__} {name or '(no name)'}"
