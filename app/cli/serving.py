"""``fencewright serve``: the API without a window."""

import os
import shlex
import sys
from argparse import Namespace
from contextlib import ExitStack
from pathlib import Path
from threading import Thread

import orjson

from app.api.wire.common.encoding import encode_time
from app.cli.collecting import short_collections
from app.cli.keys import keys_by_name
from app.cli.ready_file import withdraw_ready_file
from app.cli.targets import workspace_to_serve
from app.cli.terminal.output import note, upgrade_bar
from app.cli.terminal.request_lines import RequestLines
from app.cli.terminal.signals import StopRequest
from app.endpoint import warning_of
from app.qr import connection_text, for_terminal, qr_modules
from app.session import WorkspaceSession
from engine.domain.environment import Environment, KeyLevel
from engine.domain.errors import WorkspaceError
from engine.domain.tracking.snapshots import Seed
from engine.store.keys import write_private
from engine.store.workspace import KEYS


def serve(arguments: Namespace, stop: StopRequest) -> int:
    """Serve until a signal requests a stop, which counts as success."""
    with ExitStack() as stack:
        if arguments.stop_on_eof:
            Thread(target=_follow_input, args=(stop,), name="standard input", daemon=True).start()
        ready_file: Path | None = arguments.ready_file
        seed = None if arguments.seed is None else _read_seed(arguments.seed)
        folder = workspace_to_serve(arguments)
        session = stack.enter_context(
            WorkspaceSession(
                folder,
                host=arguments.host,
                port=arguments.port,
                tls=arguments.tls,
                allow_hosts=arguments.allow_host,
                frozen_at=arguments.clock,
                areas=arguments.area,
                router_url=arguments.router,
                geocoder_url=arguments.geocoder,
                seed=seed,
                nightly=True,
                # A program that ends the server with its pipe is the only user of its workspace.
                listed=not arguments.stop_on_eof,
                progress=upgrade_bar(stop.check),
            )
        )
        stop.deadline.before_end(session.engine.workspace.withdraw)
        if arguments.verbose:
            stack.enter_context(RequestLines(session.requests))
        url = session.start_endpoint()
        stack.enter_context(short_collections())
        workspace = session.engine.workspace
        if ready_file is not None:
            stack.callback(withdraw_ready_file, ready_file)
            _announce(ready_file, url, session)
        note(f"listening on {url}")
        _describe(session)
        clock = session.engine.test_clock.state()
        if not clock.system:
            note(f"the Test clock is {'frozen' if clock.frozen else 'set'} at {encode_time(clock.now)}")
        note(f"workspace {workspace.folder}; its keys are in {workspace.folder / KEYS}")
        stop.wait()
        note("stopping")
    return 0


def _follow_input(stop: StopRequest) -> None:
    """Request a stop when standard input ends; its content is ignored."""
    while os.read(0, 4096):
        pass
    stop.end()


def _describe(session: WorkspaceSession) -> None:
    """Describe how devices connect (certificate, address, key), and warn if other machines can connect."""
    reach, workspace = session.reach, session.engine.workspace
    if reach is None:
        return
    if session.options.tls:
        certificate = session.certificate()
        note(f"devices must trust the certificate {certificate.file} (SHA-256 {certificate.fingerprint})")
        note(f"how: fencewright certificate --workspace {shlex.quote(str(workspace.folder))}")
    if (warning := warning_of(reach)) is None:
        return
    note(f"warning: {warning}")
    if session.options.tls:
        note(f"phones download the certificate at {reach.certificate_url}")
    if sys.stderr.isatty():
        key = workspace.keys.value(Environment.TEST, KeyLevel.PUBLISHABLE)
        note("this QR code holds the URL and the publishable key of Test")
        sys.stderr.write(for_terminal(qr_modules(connection_text(reach.device_url, key))))


def _read_seed(file: Path) -> Seed:
    # Imported here because most servers start without a seed.
    from app.seeds import read_seed

    return read_seed(file)


def _announce(file: Path, url: str, session: WorkspaceSession) -> None:
    workspace = session.engine.workspace
    keys = keys_by_name(workspace.keys)
    content: dict[str, object] = {"url": url, "pid": os.getpid(), "workspace": str(workspace.folder), "keys": keys}
    if session.options.tls:
        content["certificate"] = str(session.certificate().file)
    try:
        write_private(file.absolute(), orjson.dumps(content))
    except OSError as error:
        raise WorkspaceError(f"The ready file {file} cannot be written: {error.strerror}.") from error
