"""Settings of QtWebEngine that must be made before a QApplication is created."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt

from app.desktop.map.scheme import register_scheme

FLAGS = "QTWEBENGINE_CHROMIUM_FLAGS"
_SOFTWARE = ("--ignore-gpu-blocklist", "--disable-gpu-compositing")
_NO_GRAPHICS = "--use-gl=disabled"
"""Flag that keeps Chromium from loading Mesa's software renderer and its compiler (53 MB).

Without a GPU it would load both, and then paint without them.
"""
_NO_SANDBOX = "--no-sandbox"
_SCRIPTS = "--js-flags="
_COLLECTING = f"{_SCRIPTS}--initial-old-space-size=48,--heap-growing-percent=50"
"""Flag that collects the page's garbage when its heap has grown by half.

On a machine with much memory V8 lets the heap grow to hundreds of megabytes before it collects garbage. The map itself
needs 15 MB, and 40 MB with 100,000 geofences.
"""
_NO_SCREEN = {"offscreen", "minimal", "vnc"}

_log = logging.getLogger(__name__)


def prepare_webengine() -> None:
    """Set Chromium's flags and register the map's scheme.

    Call this before all other uses of Qt. A second call changes nothing.
    """
    os.environ[FLAGS] = chromium_flags(os.environ.get(FLAGS, ""), sandbox=_sandbox_possible(), gpu=_gpu_present())
    register_scheme()
    if QCoreApplication.instance() is None:
        QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)


def chromium_flags(given: str, *, sandbox: bool, gpu: bool) -> str:
    """Return the user's flags with the flags added that this machine needs."""
    needed = [] if _SCRIPTS in given else [_COLLECTING]
    if not sandbox:
        needed.append(_NO_SANDBOX)
    if not (sandbox and gpu):
        needed.extend(_SOFTWARE)
    if not (gpu or any(flag.startswith("--use-") for flag in given.split())):
        needed.append(_NO_GRAPHICS)
    present = given.split()
    return " ".join([*present, *(flag for flag in needed if flag not in present)])


def _sandbox_possible() -> bool:
    """Return whether Chromium can run its page processes in a sandbox.

    Root cannot use the sandbox at all. An ordinary user with a screen always can. Without a screen (in a container or
    on a build machine) this function asks the kernel, because Chromium would abort there instead of reporting an error.
    """
    if sys.platform != "linux":
        return True
    if os.geteuid() == 0:
        return False
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] not in _NO_SCREEN:
        return True
    possible = _user_namespaces_allowed()
    if not possible:
        _log.warning("no user namespaces here: the map's page runs without Chromium's sandbox")
    return possible


def _user_namespaces_allowed() -> bool:
    probe = "import os; os.unshare(os.CLONE_NEWUSER)"
    answer = subprocess.run([sys.executable, "-I", "-c", probe], capture_output=True, timeout=30, check=False)
    return answer.returncode == 0


def _gpu_present() -> bool:
    if sys.platform != "linux":
        return True
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] in _NO_SCREEN:
        return False
    return any(Path("/dev/dri").glob("renderD*"))
