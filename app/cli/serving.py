"""``fencewright serve``: the API without a window."""

import os
from argparse import Namespace
from contextlib import ExitStack, suppress
from pathlib import Path

import orjson

from app.api.encoding import encode_time
from app.cli.keys import keys_by_name
from app.cli.output import note
from app.cli.signals import StopRequest
from app.cli.targets import chosen_workspace
from app.session import WorkspaceSession
from engine.domain.errors import WorkspaceError
from engine.store.keys import KeyRing, write_private
from engine.store.workspace import KEYS


def serve(arguments: Namespace, stop: StopRequest) -> int:
    """Serve until a signal asks to stop; that is success."""
    with ExitStack() as stack:
        ready_file: Path | None = arguments.ready_file
        if ready_file is not None:
            _remove(ready_file)  # one of an earlier run would announce what is not there
        folder = chosen_workspace(arguments)
        session = stack.enter_context(
            WorkspaceSession(
                folder,
                host=arguments.host,
                port=arguments.port,
                frozen_at=arguments.clock,
                areas=arguments.area,
                router_url=arguments.router,
                geocoder_url=arguments.geocoder,
            )
        )
        url = session.start_endpoint()
        workspace = session.engine.workspace
        if ready_file is not None:
            stack.callback(_withdraw, ready_file)
            _announce(ready_file, url, workspace.keys)
        note(f"listening on {url}")
        if arguments.clock is not None:
            note(f"the clock of Test stands at {encode_time(arguments.clock)}")
        note(f"workspace {workspace.folder}; its keys are in {workspace.folder / KEYS}")
        stop.wait()
        note("stopping")
    return 0


def _announce(file: Path, url: str, ring: KeyRing) -> None:
    content = {"url": url, "pid": os.getpid(), "keys": keys_by_name(ring)}
    try:
        write_private(file.absolute(), orjson.dumps(content))
    except OSError as error:
        raise WorkspaceError(f"The ready file {file} cannot be written: {error.strerror}.") from error


def _remove(file: Path) -> None:
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        raise WorkspaceError(f"The ready file {file} cannot be replaced: {error.strerror}.") from error


def _withdraw(file: Path) -> None:
    """Remove the ready file, unless another server has written its own there."""
    with suppress(OSError, ValueError, KeyError, TypeError):
        if orjson.loads(file.read_bytes())["pid"] == os.getpid():
            file.unlink()
