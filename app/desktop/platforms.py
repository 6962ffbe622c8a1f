"""Reasons why Qt cannot open a window, detected before Qt would abort the process."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from app.desktop.display import WAYLAND, X, display_answers, wayland_answers, x_answers
from app.desktop.libraries import Part, advice, missing_packages
from engine.domain.errors import FencewrightError

PLATFORM: Final = "QT_QPA_PLATFORM"
UNSEEN: Final = frozenset({"offscreen", "minimal"})
"""Platforms whose windows are invisible."""

_ELSEWHERE: Final = ("QT_QPA_PLATFORM_PLUGIN_PATH", "QT_PLUGIN_PATH")
_IN_MEMORY: Final = UNSEEN | {"vnc"}
_PROBE: Final = "from PySide6.QtGui import QGuiApplication; QGuiApplication(['fencewright'])"
_BOILERPLATE: Final = ("This application failed to start", "Available platform plugins")
_PROBED_WITHIN_S: Final = 30
_WITHOUT: Final = "`fencewright serve` runs without one"
NO_WINDOWS: Final = "Windows cannot be opened, but every command other than desktop and demo works"


def check_display() -> None:
    """Raise `FencewrightError` if no window can be opened, unless an invisible platform was requested explicitly."""
    if (reason := trouble(os.environ)) is not None:
        raise FencewrightError(reason)


def has_display() -> bool:
    """Return whether a window would be visible here."""
    if sys.platform != "linux":
        return True
    named = _named(os.environ)
    return any(name not in UNSEEN for name in named) if named else display_answers(os.environ)


def trouble(environment: Mapping[str, str]) -> str | None:
    """Return a sentence with the reason why no window can be opened, or None if one can."""
    if sys.platform != "linux":
        return None
    named = _named(environment)
    if not named:
        return _trouble_of_screens(environment)
    if any(environment.get(name) for name in _ELSEWHERE):
        return _probed(environment)
    reasons = [_trouble_of(name, environment) for name in named]
    return None if None in reasons else reasons[0]


def lacking_libraries(environment: Mapping[str, str]) -> str | None:
    """Return instructions for installing the libraries that a window needs, or None if none is missing."""
    parts: list[Part] = ["window"]
    names = _named(environment)
    if any(name.startswith("xcb") for name in names) or (not names and x_answers(environment)):
        parts.append("x")
    if any(name.startswith("wayland") for name in names) or (not names and wayland_answers(environment)):
        parts.append("wayland")
    packages = missing_packages(parts)
    return advice(packages) if packages else None


def _named(environment: Mapping[str, str]) -> list[str]:
    """Return the requested platforms in order of preference."""
    choices = environment.get(PLATFORM, "").split(";")
    return [name for choice in choices if (name := choice.partition(":")[0].strip())]


def _trouble_of_screens(environment: Mapping[str, str]) -> str | None:
    """Return the fault of the displays that Qt may choose by itself, or None if one of them works."""
    answering = [name for name, answers in (("wayland", wayland_answers), ("xcb", x_answers)) if answers(environment)]
    if not answering:
        named = ", ".join(f"{name} is {environment[name]}" for name in (WAYLAND, X) if environment.get(name))
        return f"No display answers here ({named}); {_WITHOUT}." if named else f"There is no display here; {_WITHOUT}."
    reasons = [_trouble_of_plugin(name) for name in answering]
    return None if None in reasons else reasons[-1]


def _trouble_of(name: str, environment: Mapping[str, str]) -> str | None:
    """Return the fault of a requested platform, or None if it works."""
    requested = f"{PLATFORM} is {environment.get(PLATFORM)!r}"
    if not _plugin(name).exists():
        return f"{requested}, which Qt does not have; it has {', '.join(_known())}."
    if name in _IN_MEMORY:
        return None
    if name != "xcb" and not name.startswith("wayland"):
        return _probed(environment)
    variable, answers = (X, x_answers) if name == "xcb" else (WAYLAND, wayland_answers)
    if not answers(environment):
        display = environment.get(variable)
        trouble = f"the display {display} does not answer" if display else f"{variable} names no display"
        return f"{requested}, and {trouble}."
    return _trouble_of_plugin(name)


def _trouble_of_plugin(name: str) -> str | None:
    """Return advice on the libraries that a display platform lacks, or None if it has all of them."""
    try:
        ctypes.CDLL(str(_plugin(name)))
    except OSError as error:
        packages = missing_packages(["window", "x" if name == "xcb" else "wayland"])
        return f"{NO_WINDOWS}: {advice(packages) if packages else f'{error}.'}"
    return None


def _plugin(name: str) -> Path:
    return _plugins() / f"libq{'wayland' if name.startswith('wayland') else name}.so"


def _probed(environment: Mapping[str, str]) -> str | None:
    """Try to start Qt in a separate process, which it may abort, and return the fault or None."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROBE],
            env=dict(environment),
            capture_output=True,
            text=True,
            timeout=_PROBED_WITHIN_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"Qt does not start with {PLATFORM}={environment.get(PLATFORM)}."
    if done.returncode == 0:
        return None
    lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith(_BOILERPLATE)]
    return f"Qt does not start with {PLATFORM}={environment.get(PLATFORM)}: {lines[-1] if lines else 'no reason given'}"


def _known() -> list[str]:
    return sorted(plugin.stem.removeprefix("libq") for plugin in _plugins().glob("libq*.so"))


def _plugins() -> Path:
    """Return the folder of Qt's platform plugins."""
    spec = find_spec("PySide6")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0]) / "Qt" / "plugins" / "platforms"
