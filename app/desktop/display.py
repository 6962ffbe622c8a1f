"""A check whether one of the displays named by the environment responds.

It runs before Qt, which ends the program if the display does not respond. The module uses the standard library only and
imports nothing from this project: packaging/run.sh runs this file as a script, for its exit code 0 or 1. DISPLAY often
outlives its screen (in tmux, in a container, after su).
"""

from __future__ import annotations

import ctypes
import os
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Thread
from time import sleep

PATIENCE_S = 10.0
"""How long a display may take to answer."""

ATTEMPTS = 4
RETRY_S = 0.2
"""Delay between attempts, since an X server resets after its last client leaves and refuses connections meanwhile."""

WAYLAND = "WAYLAND_DISPLAY"
X = "DISPLAY"


def display_answers(environment: Mapping[str, str]) -> bool:
    """Return whether a window can be shown on one of the displays named."""
    return wayland_answers(environment) or x_answers(environment)


def wayland_answers(environment: Mapping[str, str]) -> bool:
    """Return whether a Wayland compositor listens at the socket named by the environment."""
    name = environment.get(WAYLAND) or ("wayland-0" if environment.get("XDG_SESSION_TYPE") == "wayland" else "")
    if not name:
        return False
    path = Path(environment.get("XDG_RUNTIME_DIR", "/nonexistent")) / name
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE_S)
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def x_answers(environment: Mapping[str, str]) -> bool:
    """Return whether the X server of DISPLAY accepts this account."""
    name = environment.get(X)
    return bool(name) and _in_time(lambda: _connects_in_some_attempt(str(name).encode()))


def _connects_in_some_attempt(name: bytes) -> bool:
    for attempt in range(ATTEMPTS):
        if attempt:
            sleep(RETRY_S)
        if _connects(name):
            return True
    return False


_kept: dict[bytes, ctypes.c_void_p] = {}
"""The last connection to each display. While it is open, the server does not reset before Qt has connected."""


def _connects(name: bytes) -> bool:
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # unknown; Qt reports the missing library
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(name, None))
    if xcb.xcb_connection_has_error(connection):
        xcb.xcb_disconnect(connection)
        return False
    if (last := _kept.get(name)) is not None:
        xcb.xcb_disconnect(last)
    _kept[name] = connection
    return True


def _in_time(ask: Callable[[], bool]) -> bool:
    """Return the answer, or False after a timeout: a remote display may be unreachable."""
    answers: list[bool] = []
    thread = Thread(target=lambda: answers.append(ask()), daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    return bool(answers and answers[0])


if __name__ == "__main__":
    sys.exit(0 if display_answers(os.environ) else 1)
