"""The program: knows both faces and starts the one that is asked for."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.cli import Faces, run
from app.cli.output import abandon_output, write_json
from app.cli.run import finish_output
from engine.domain.errors import FencewrightError
from engine.domain.tracking import Event


def main() -> int:
    """Run the command line of this process and return its exit code."""
    code = run(sys.argv[1:], Faces(desktop=_desktop, demo=_demo))
    finish_output()
    return code


def _desktop(
    workspace: Path | str | None, host: str, port: int, router_url: str | None, geocoder_url: str | None
) -> int:
    from app.desktop.main import run_desktop
    from app.session import WorkspaceSession

    open_session = partial(WorkspaceSession, router_url=router_url, geocoder_url=geocoder_url)
    return _with_windows(lambda: run_desktop(workspace, host=host, port=port, open_session=open_session))


def _demo(screenshot: Path | None) -> int:
    from app.desktop.main import run_demo
    from app.session import WorkspaceSession

    return _with_windows(lambda: run_demo(screenshot, _write_event, open_session=WorkspaceSession))


def _write_event(event: Event) -> None:
    from app.api.encoding import encode_event

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
        raise FencewrightError(
            f"windows cannot be opened here: {error}. What is missing is installed by packaging/run.sh; every "
            "command but desktop and demo works without it."
        ) from error


if __name__ == "__main__":
    sys.exit(main())
