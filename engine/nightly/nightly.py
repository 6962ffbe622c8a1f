"""The nightly sync of an open workspace: configured, run, cancelled, and repeated every night.

A sync runs in the thread of its caller or of the timer, one per environment at a time. Each file is one transaction.
The state of the files is stored at the end, so a sync that broke off repeats some of it.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from threading import Condition, Event
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.domain.clock import real_seconds
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, FencewrightError, InvalidParameter, StorageUnavailable
from engine.domain.imports import Channel, ImportFile
from engine.domain.nightly.runs import MailState, MailStatus, SyncRun, SyncState, SyncTrigger
from engine.domain.nightly.settings import (
    SECRETS,
    SyncChange,
    SyncProtocol,
    SyncSettings,
    changed_files,
    changed_sync,
    check_complete,
    last_due,
    next_due,
    other_mail_server,
)
from engine.domain.ports import Cancelled, Clock, Progress, no_progress
from engine.domain.values import replace
from engine.geofences.imports.imports import Imports
from engine.nightly.letters import delivered
from engine.nightly.options import check_options
from engine.nightly.schedule import NightlyTimer
from engine.nightly.sources import identities_of, sources_of
from engine.nightly.syncing import Means, Syncing
from engine.outbound.questions import check_url
from engine.store.database import Database
from engine.store.nightly.records import (
    MOST_RUNS,
    add_run,
    forget_versions,
    known_files,
    read_settings,
    runs,
    save_files,
    save_settings,
    update_run,
)
from engine.store.nightly.secrets import Secrets
from engine.store.workspace import Workspace
from engine.store.writer import Connection, Writer

if TYPE_CHECKING:
    from engine.outbound.client import GuardedClient

log = logging.getLogger(__name__)

_AGAIN_S = 60.0
_CHECKED_MAILS = 20


class SyncParts(Struct, frozen=True):
    """The parts of an engine that a sync needs; `scale` returns the speed of a clock, `allows_private` a setting."""

    workspace: Workspace
    database: Database
    writer: Writer
    clocks: Mapping[Environment, Clock]
    scale: Callable[[Environment], float]
    imports: Imports
    allows_private: Callable[[Environment], bool]
    changed: Callable[[Environment], None]


class NightlySync:
    """Configures and runs syncs. Its methods may be called from any thread but the writer's."""

    def __init__(self, parts: SyncParts) -> None:
        self._parts = parts
        self._secrets = Secrets(parts.workspace.folder, temporary=parts.workspace.temporary)
        self._client: GuardedClient | None = None
        self._timer = NightlyTimer(self._look)
        self._turns = Condition()
        self._running: dict[Environment, Event] = {}
        self._tried: dict[Environment, datetime] = {}
        """Last due time for which a sync was attempted, so that one that cannot even be recorded is not tried every
        minute."""
        self._lowest: dict[Environment, datetime] = {}
        """Earliest time shown by a clock since the last check, because it may have been set back and forward again."""
        self._closed = False

    # Configuring

    def state(self, environment: Environment) -> SyncState:
        """Return the settings, whether a sync is running, the next due time, and the result of the last run."""
        settings, _ = self._settings(environment)
        last = self._parts.database.read(lambda connection: runs(connection, environment, 1))
        now = self._parts.clocks[environment].now()
        return SyncState(
            settings=settings,
            secrets=frozenset(name for name in SECRETS if self._secret(environment, name) is not None),
            running=environment in self._running,
            next_run_at=next_due(settings, now) if settings.enabled else None,
            last_run=last[0] if last else None,
        )

    def change(self, environment: Environment, change: SyncChange) -> SyncState:
        """Change settings and secrets; raises `InvalidParameter` naming the setting, without changing anything.

        If the mail server changes, the password of the previous one is deleted.
        """
        now = self._parts.clocks[environment].now()

        def changed(connection: Connection) -> tuple[SyncSettings, SyncSettings, datetime | None]:
            before, since = read_settings(connection, environment)
            return before, self._checked(changed_sync(before, change)), since

        before, after, _ = self._parts.database.read(changed)
        secrets = dict(change.secrets())
        if other_mail_server(before, after):
            secrets.setdefault("smtp_password", None)
        former = {name: self._secret(environment, name) for name in secrets}

        def work(connection: Connection) -> None:
            before, after, since = changed(connection)
            if since is None or _timing(before) != _timing(after):
                # Nights before the configuration were not missed.
                since = now
            save_settings(connection, environment, after, since)
            forget_versions(connection, environment, identities_of(after, changed_files(before, after)))

        try:
            self._put(environment, secrets)
            self._parts.writer.run(work)
        except BaseException:
            self._put(environment, former)
            raise
        self._tried.pop(environment, None)
        self._timer.wake()
        self._parts.changed(environment)
        return self.state(environment)

    def runs(self, environment: Environment, limit: int = MOST_RUNS) -> tuple[SyncRun, ...]:
        """Return the results of the last syncs, newest first."""
        return self._parts.database.read(lambda connection: runs(connection, environment, limit))

    def fetch(
        self, environment: Environment, change: SyncChange, file: str, progress: Progress = no_progress
    ) -> ImportFile:
        """Return a file, given by its URL or object key, as it would be synced after a change; stores nothing.

        Raises `InvalidParameter` naming an invalid setting, and any error of the request.
        """
        given = replace(change, enabled=False, urls=None, object_keys=None, file_options=())
        settings = changed_sync(self._settings(environment)[0], given)
        by_http = settings.protocol is SyncProtocol.HTTP
        one = replace(settings, urls=(file,)) if by_http else replace(settings, object_keys=(file,))
        settings = self._checked(one)
        check_complete(replace(settings, notification_email=None))
        secret = change.secrets().get("secret_access_key", self._secret(environment, "secret_access_key"))
        (source,) = sources_of(settings, secret)
        private = self._parts.allows_private(environment)
        fetched = source.fetch(self._open_client(), "", private, lambda: progress(0, 1))
        return ImportFile(fetched.data or b"", source.file_name, Channel.SYNC)

    # Running

    def run(self, environment: Environment, *, force: bool = False, progress: Progress = no_progress) -> SyncRun:
        """Sync now, even if disabled, and return the result; with `force`, include unchanged files.

        Raises `InvalidParameter` naming a missing setting, and `Conflict` while another sync of the environment is
        running. If `progress` raises `Cancelled`, or another thread calls `cancel`, the result states it. Files
        imported by then stay imported.
        """
        check_complete(self._settings(environment)[0])
        return self._run(environment, SyncTrigger.MANUAL, force, progress)

    def cancel(self, environment: Environment) -> bool:
        """Cancel the running sync; return whether there was one."""
        with self._turns:
            stop = self._running.get(environment)
            if stop is not None:
                stop.set()
            return stop is not None

    # The nightly timer

    def start(self) -> None:
        """Start syncing every night; a missed night is made up for."""
        self._timer.start()

    def look_again(self) -> None:
        """Note that a clock may have changed."""
        with self._turns:
            for environment, clock in self._parts.clocks.items():
                now = clock.now()
                self._lowest[environment] = min(self._lowest.get(environment, now), now)
        self._timer.wake()

    def stop(self) -> None:
        """Cancel the running syncs without waiting for their end, and prevent new ones."""
        with self._turns:
            self._closed = True
            for stop in self._running.values():
                stop.set()

    def close(self) -> None:
        """Cancel the running syncs and wait for their end. A night cancelled in this way is made up for later."""
        self.stop()
        self._timer.close()
        with self._turns:
            self._turns.wait_for(lambda: not self._running)
        if self._client is not None:
            self._client.close()

    def _look(self) -> float | None:
        """Run due syncs and e-mails; return the real seconds to the next due time, or None."""
        waits = []
        for environment in Environment:
            try:
                waits.append(self._look_at(environment))
            except FencewrightError as error:
                log.warning("The nightly sync of %s: %s", environment, error.message)
                waits.append(_AGAIN_S)
        return min((wait for wait in waits if wait is not None), default=None)

    def _look_at(self, environment: Environment) -> float | None:
        settings, since = self._settings(environment)
        clock = self._parts.clocks[environment]
        now = clock.now()
        with self._turns:
            lowest = min(self._lowest.pop(environment, now), now)
        if since is not None and since > lowest:
            # The clock was set back, so the time recorded before is in the future.
            self._parts.writer.run(lambda connection: save_settings(connection, environment, settings, lowest))
            since = lowest
        if settings.enabled and since is not None:
            due = last_due(settings, now)
            if since < due and self._tried.get(environment) != due and environment not in self._running:
                self._tried[environment] = due
                self._run(environment, SyncTrigger.NIGHTLY, False, no_progress)
        next_mail = self._send_delayed(environment, settings)
        now = clock.now()
        moments = [next_mail, next_due(settings, now) if settings.enabled else None]
        scale = self._parts.scale(environment)
        waits = [real_seconds(moment, now, scale) for moment in moments if moment is not None]
        return min((wait for wait in waits if wait is not None), default=None)

    # Internals

    def _run(self, environment: Environment, trigger: SyncTrigger, force: bool, progress: Progress) -> SyncRun:
        with self._turn(environment) as stop:
            settings, _ = self._settings(environment)
            clock = self._parts.clocks[environment]
            started_at = clock.now()

            def checked(done: int, total: int) -> None:
                if stop.is_set():
                    raise Cancelled
                progress(done, total)

            syncing, cancelled, problem = self._sync(environment, settings, force, checked)
            run = SyncRun(
                environment=environment,
                trigger=trigger,
                started_at=started_at,
                ended_at=max(clock.now(), started_at),
                files=tuple(syncing.files),
                deleted=syncing.deleted,
                notes=(*syncing.notes, *problem),
                cancelled=cancelled,
            )
            if cancelled and self._closed:
                return run
            return self._mailed(self._kept(run, syncing, settings), settings)

    def _sync(
        self, environment: Environment, settings: SyncSettings, force: bool, progress: Progress
    ) -> tuple[Syncing, bool, tuple[str, ...]]:
        """Process the files; return the results, whether the sync was cancelled, and the errors that ended it."""
        known = self._parts.database.read(lambda connection: known_files(connection, environment))
        means = Means(
            environment,
            self._parts.imports,
            self._open_client(),
            self._parts.allows_private(environment),
            settings.delete_missing,
            force,
            progress,
        )
        syncing = Syncing(means, known)
        try:
            syncing.run(tuple(sources_of(settings, self._secret(environment, "secret_access_key"))))
        except Cancelled:
            return syncing, True, ()
        except FencewrightError as error:
            return syncing, False, (error.message,)
        return syncing, False, ()

    def _kept(self, run: SyncRun, syncing: Syncing, used: SyncSettings) -> SyncRun:
        """Store a run with the settings `used`, and the current state of the files."""

        def work(connection: Connection) -> SyncRun:
            settings, since = read_settings(connection, run.environment)
            save_settings(connection, run.environment, settings, max(since or run.started_at, run.started_at))
            if syncing.states:
                save_files(connection, run.environment, syncing.states)
                # Options that were changed during the run apply from the next one.
                forget_versions(connection, run.environment, identities_of(used, changed_files(used, settings)))
            mail = MailState.PENDING if settings.notification_email and not run.cancelled else MailState.NONE
            return add_run(connection, replace(run, mail=MailStatus(state=mail)))

        kept = self._parts.writer.run(work)
        self._parts.changed(run.environment)
        return kept

    def _mailed(self, run: SyncRun, settings: SyncSettings) -> SyncRun:
        """Send the e-mail about a run if required, and record its status."""
        if run.mail.state is not MailState.PENDING:
            return run
        mail = delivered(
            run,
            settings,
            self._secret(run.environment, "smtp_password"),
            self._parts.workspace.name,
            self._parts.clocks[run.environment].now(),
        )
        if mail.state is not MailState.SENT:
            log.warning("The e-mail about a sync of %s was not sent: %s", run.environment, mail.message)
        after = replace(run, mail=mail)
        self._parts.writer.run(lambda connection: update_run(connection, after))
        self._parts.changed(run.environment)
        return after

    def _send_delayed(self, environment: Environment, settings: SyncSettings) -> datetime | None:
        """Send the e-mails that are due for a retry; return the time of the next retry, or None."""
        now, moments = self._parts.clocks[environment].now(), []
        for run in self.runs(environment, _CHECKED_MAILS):
            if self._closed or run.mail.state is not MailState.PENDING or environment in self._running:
                continue
            after = self._mailed(run, settings) if run.mail.due_at is None or run.mail.due_at <= now else run
            if after.mail.due_at is not None:
                moments.append(after.mail.due_at)
        return min(moments, default=None)

    def _open_client(self) -> "GuardedClient":
        # Imported here because it is slow to load, and most workspaces fetch nothing.
        from engine.outbound.client import GuardedClient

        with self._turns:
            if self._client is None:
                self._client = GuardedClient()
            return self._client

    @contextmanager
    def _turn(self, environment: Environment) -> Iterator[Event]:
        """Allow one sync per environment at a time; yield the event that stops it."""
        with self._turns:
            if self._closed:
                raise StorageUnavailable("The workspace is being closed; try again later.")
            if environment in self._running:
                name = environment.value.capitalize()
                raise Conflict("sync", f"sync: a sync of {name} is running already; try again when it is done.")
            stop = self._running[environment] = Event()
        self._parts.changed(environment)
        try:
            yield stop
        finally:
            with self._turns:
                del self._running[environment]
                self._turns.notify_all()
            self._parts.changed(environment)

    def _settings(self, environment: Environment) -> tuple[SyncSettings, datetime | None]:
        return self._parts.database.read(partial(read_settings, environment=environment))

    def _checked(self, settings: SyncSettings) -> SyncSettings:
        for url in settings.urls:
            check_url(url, "urls")
        if settings.endpoint is not None:
            check_url(settings.endpoint, "endpoint")
            if "?" in settings.endpoint or "#" in settings.endpoint:
                raise InvalidParameter("endpoint", "endpoint: must have no query.")
        check_options(settings)
        return settings

    def _secret(self, environment: Environment, name: str) -> str | None:
        return self._secrets.get(f"{environment}/{name}")

    def _put(self, environment: Environment, secrets: Mapping[str, str | None]) -> None:
        for name, secret in secrets.items():
            if secret != self._secret(environment, name):
                self._secrets.put(f"{environment}/{name}", secret)


def _timing(settings: SyncSettings) -> tuple[bool, int, str | None]:
    """Return the settings that determine when a sync is due."""
    return settings.enabled, settings.hour, settings.time_zone
