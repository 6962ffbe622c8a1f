"""The folder of a back-test's output: its default name, and whether it may be written."""

from datetime import datetime
from pathlib import Path

from app.backtest.folders import new_folder
from engine.backtest.folders import unfinished
from engine.domain.errors import InvalidParameter


def output_folder(given: Path | None, now: datetime, *, resume: bool) -> Path:
    """Return the folder for the output. Raises `InvalidParameter` for ``--output`` or ``--resume``.

    Without one, it has the name of the local time, in the current folder.
    """
    if given is None:
        if resume:
            raise InvalidParameter("--resume", "--resume: give the folder of the unfinished back-test with --output.")
        return new_folder(Path.cwd(), now)
    folder = given.expanduser().absolute()
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        reason = "is complete, so nothing is left to do" if resume else "exists already; give another folder"
        raise InvalidParameter("--output", f"--output: {given} {reason}.")
    if not folder.parent.is_dir():
        raise InvalidParameter("--output", f"--output: there is no folder {folder.parent}.")
    begun = unfinished(folder).exists()
    if begun and not resume:
        raise InvalidParameter(
            "--output",
            f"--output: an unfinished back-test is in {given}; continue it with --resume, or give another folder.",
        )
    if resume and not begun:
        raise InvalidParameter("--resume", f"--resume: there is no unfinished back-test for {given}.")
    return folder
