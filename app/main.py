"""The program: knows both faces and starts the one that is asked for."""

import sys
from pathlib import Path

from app.cli import Faces, run
from app.cli.run import finish_output


def main() -> int:
    """Run the command line of this process and return its exit code."""
    code = run(sys.argv[1:], Faces(desktop=_desktop, demo=_demo))
    finish_output()
    return code


def _desktop(workspace: Path | str | None, host: str, port: int) -> int:
    from app.desktop.main import run_desktop

    return run_desktop(workspace, host=host, port=port)


def _demo(screenshot: Path | None) -> int:
    from app.api.encoding import encode_event
    from app.cli.output import write_json
    from app.desktop.main import run_demo

    return run_demo(screenshot, lambda event: write_json(encode_event(event)))


if __name__ == "__main__":
    sys.exit(main())
