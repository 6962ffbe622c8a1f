"""Tells run.sh whether the display that the environment names can be opened: exit code 0 or 1.

DISPLAY often outlives its screen (in tmux, in a container, after su), and Qt aborts where it cannot connect.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
from pathlib import Path

PATIENCE = 3
"""Seconds until a display that does not answer counts as gone."""


def wayland_answers(name: str) -> bool:
    """Whether a Wayland compositor listens at this name."""
    path = Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent")) / name
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
        except OSError:
            return False
    return True


def x_answers() -> bool:
    """Whether the X server of DISPLAY lets this account in."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True  # cannot be known here; Qt will tell
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    error: int = xcb.xcb_connection_has_error(connection)
    return error == 0


def main() -> int:
    """Ask both; either will do."""
    if hasattr(signal, "alarm"):
        signal.alarm(PATIENCE)
    wayland = os.environ.get("WAYLAND_DISPLAY")
    if wayland and wayland_answers(wayland):
        return 0
    return 0 if os.environ.get("DISPLAY") and x_answers() else 1


if __name__ == "__main__":
    sys.exit(main())
