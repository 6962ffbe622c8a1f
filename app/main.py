"""The program: knows both interfaces and starts the one that is asked for."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from app.endpoint import EndpointOptions
    from app.session import WorkspaceSession
    from engine.domain.tracking.snapshots import Seed
    from engine.domain.tracking.updates import Event

INTERRUPTED: Final = 130
TERMINATED: Final = 143
"""The exit codes that a shell expects after Ctrl-C and SIGTERM."""

END_WITHIN_S: Final = 1.0
"""How long the end of a command that was stopped may wait for threads and for a pipe."""

SWITCHED_AFTER_S: Final = 0.0005
"""How long a thread may keep the interpreter that another one waits for.

After Python's own 5 ms, a thread that sends or receives more often than that is not asked for the interpreter at all:
the event loop of an attacked server kept it from the thread that stores for up to two seconds. The window's thread
needs it whenever Qt asks one of our objects something, which is thousands of times while a workspace is opened.
"""


def main() -> int:
    """Run the command line of this process and return its exit code."""
    sys.setswitchinterval(SWITCHED_AFTER_S)
    try:
        # Not above: loading takes most of the time of a short command, and Ctrl-C may come meanwhile.
        from app.cli import Interfaces, run
        from app.cli.run import finish_output
    except KeyboardInterrupt:
        return INTERRUPTED
    code = run(sys.argv[1:], Interfaces(desktop=_desktop, demo=_demo))
    if code in (INTERRUPTED, TERMINATED):
        from app.stopping import end_within

        # Where the signal came, a thread may have begun that is not known to anything else; Python would wait for it,
        # and also for a pipe that is not read.
        end_within(END_WITHIN_S, code)
    finish_output()
    # Python looks for garbage once more when it ends, in all that was loaded: 12 % of the time of a short command
    # (`fencewright keys`: 0.54 s without this, 0.48 with it; medians of 21 alternating runs).
    gc.freeze()
    return code


def _desktop(
    workspace: Path | str | None,
    endpoint: EndpointOptions,
    router_url: str | None,
    geocoder_url: str | None,
    seed_file: Path | None,
    language: str | None,
) -> int:
    from app.desktop.platforms import check_display

    # First, as all that a window is made of takes seconds to load.
    check_display()
    from app.desktop.main import run_desktop

    # For the first workspace only: whoever opens another one in the window does not mean to fill that, too.
    seeds = [] if seed_file is None else [_read_seed(seed_file)]
    seeded = partial(open_session, router_url=router_url, geocoder_url=geocoder_url, nightly=True)

    def open_seeded(folder: Path | str, **options: Any) -> WorkspaceSession:
        return seeded(folder, seed=seeds.pop() if seeds else None, **options)

    return _with_windows(lambda: run_desktop(workspace, endpoint, language, open_session=open_seeded))


def open_session(folder: Path | str, **options: Any) -> WorkspaceSession:
    """Open a workspace for the window, which has a thread for it, and is there before the endpoint is loaded."""
    from app.session import WorkspaceSession

    return WorkspaceSession(folder, reachable=False, **options)


def _read_seed(file: Path) -> Seed:
    from app.seeds import read_seed

    return read_seed(file)


def _demo(screenshot: Path | None) -> int:
    from app.desktop.platforms import check_display, has_display

    if has_display():
        check_display()
    from app.desktop.main import run_demo

    return _with_windows(lambda: run_demo(screenshot, _write_event, open_session=open_session))


def _write_event(event: Event) -> None:
    from app.api.wire.event import encode_event
    from app.cli.terminal.output import abandon_output, write_json

    try:
        write_json(encode_event(event))
    except BrokenPipeError:
        abandon_output()  # the picture is still wanted


def _with_windows(start: Callable[[], int]) -> int:
    try:
        return start()
    except ImportError as error:
        if not (error.name or "").startswith("PySide6") and ".so" not in str(error):
            raise
        from app.desktop.platforms import NO_WINDOWS, lacking_libraries
        from engine.domain.errors import FencewrightError

        raise FencewrightError(f"{NO_WINDOWS}: {lacking_libraries(os.environ) or error}") from error


if __name__ == "__main__":
    sys.exit(main())
