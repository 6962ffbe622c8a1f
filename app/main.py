"""The program, which knows both interfaces and starts the requested one."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
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
"""How long a stopped command may wait for threads and for a pipe when it exits, in seconds."""

SWITCHED_AFTER_S: Final = 0.0005
"""How long a thread may hold the interpreter lock while another thread waits for it, in seconds.

With Python's default of 5 ms, a thread that sends or receives more often than that is never asked to release the lock:
the event loop of an attacked server kept it from the storage thread for up to two seconds (99th percentile of other
clients' updates: 416 to 2,173 ms with the default, 18 to 55 ms with this). The window's thread needs
the lock whenever Qt calls one of our objects, which happens thousands of times while a workspace is opened.
"""


def main() -> int:
    """Run the command line of this process and return its exit code."""
    sys.setswitchinterval(SWITCHED_AFTER_S)
    try:
        # Imported here because loading takes most of the time of a short command, and Ctrl-C may be pressed in the
        # meantime.
        from app.cli import Interfaces, run
        from app.cli.run import finish_output
    except KeyboardInterrupt:
        return INTERRUPTED
    code = run(sys.argv[1:], Interfaces(desktop=_desktop, demo=_demo))
    if code in (INTERRUPTED, TERMINATED):
        from app.stopping import end_within

        # If the signal interrupted the start of a thread, nothing else knows of that thread. Python would wait for it,
        # and for a pipe that is not read.
        end_within(END_WITHIN_S, code)
    finish_output()
    # Python collects garbage once more on exit, in everything that was loaded. This takes 12 % of the time of a short
    # command (`fencewright keys`: 0.54 s without this, 0.48 with it; medians of 21 alternating runs).
    gc.freeze()
    return code


def _desktop(
    workspace: Path | str | None,
    endpoint: EndpointOptions,
    router_url: str | None,
    geocoder_url: str | None,
    seed_file: Path | None,
    language: str | None,
    files: Sequence[Path],
) -> int:
    _require_desktop()
    from app.desktop.platforms import check_display

    # Checked first, since loading the modules of the window takes seconds.
    check_display()
    from app.desktop.main import run_desktop
    from app.other_workspaces import OtherWorkspaces

    # Applies to the first workspace only. Another one that the user opens in the window must not be filled.
    seeds = [] if seed_file is None else [_read_seed(seed_file)]
    seeded = partial(open_session, router_url=router_url, geocoder_url=geocoder_url, nightly=True)

    def open_seeded(folder: Path | str, **options: Any) -> WorkspaceSession:
        return seeded(folder, seed=seeds.pop() if seeds else None, **options)

    return _with_windows(
        lambda: run_desktop(workspace, endpoint, language, files, open_session=open_seeded, others=OtherWorkspaces())
    )


def _require_desktop() -> None:
    """Raise `FencewrightError` in a headless installation."""
    from app.diagnostics.desktop import advice, missing_packages
    from engine.domain.errors import FencewrightError

    if missing_packages():
        raise FencewrightError(advice())


def open_session(folder: Path | str, **options: Any) -> WorkspaceSession:
    """Open a workspace for the window, which calls this in a thread and appears before the endpoint is loaded."""
    from app.session import WorkspaceSession

    return WorkspaceSession(folder, reachable=False, listed=True, **options)


def _read_seed(file: Path) -> Seed:
    from app.seeds import read_seed

    return read_seed(file)


def _demo(screenshot: Path | None) -> int:
    _require_desktop()
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
        abandon_output()  # the image is still needed


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
