"""Pending changes of Live: applying, discarding and listing them, and asking about them before closing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import batched
from typing import Protocol

from msgspec import Struct, field
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from app.desktop.dialogs.ask import ask
from app.desktop.dialogs.pending import PendingDialog
from app.desktop.dialogs.settings import SettingsDialog
from app.desktop.language import counted, tr
from app.desktop.map.values import Theme
from app.desktop.model.editing.changes import ChangedByOthers, FenceEditor, Outcome, part_of
from app.desktop.model.editing.pending import Key, Owner, Pending, fence_change, settings_change
from app.desktop.model.editing.pending_words import conflict_text, owner_name
from app.desktop.model.words import error_text, fence_name
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.project import ProjectController
from app.desktop.window.message import MessageLine
from app.desktop.window.status import StatusLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment
from engine.domain.errors import Conflict, FencewrightError, InvalidParameter, NotFound
from engine.domain.geofence import Geofence

_LIVE = Environment.LIVE
_PORTION = 20
"""Number of records applied per request to the engine, so that the list updates and other edits can intervene."""
_MAX_LISTED = 8
"""Maximum number of conflicts listed in a question."""

type Agreed = tuple[Pending, ...]
"""The changes that the user has agreed to discard."""


class Leave(Protocol):
    """Closes the open workspace, after a confirmation if changes would be lost."""

    def __call__(
        self,
        verb: str,
        leave: Callable[[Agreed], object],
        stay: Callable[[], object] = ...,
        agreed: Agreed = ...,
    ) -> None: ...


class _Batch(Struct):
    """A batch of changes applied with one click: the number of outstanding records, and the results of the others."""

    records: int
    fields: int
    applied: int = 0
    refusals: list[str] = field(default_factory=list)


class _Part(Struct, frozen=True):
    """The changes of one record that are applied, and its name."""

    name: str
    changes: tuple[Pending, ...]
    work: Callable[[FenceEditor], Outcome]


def _tried(work: Callable[[FenceEditor], Outcome], editor: FenceEditor) -> Outcome | FencewrightError:
    try:
        return work(editor)
    except FencewrightError as error:
        return error


class PendingController(QObject):
    """Applies and discards pending changes.

    `fence_shown` and `settings_shown` request the editor of a change.
    """

    fence_shown = Signal(str)
    settings_shown = Signal()

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        form: FenceForm,
        project: ProjectController,
        status: StatusLine,
        message: MessageLine,
    ) -> None:
        super().__init__(window)
        self._window, self._model, self._book = window, model, model.pending
        self._form, self._project, self._status, self._message = form, project, status, message
        self._question: QMessageBox | None = None
        self.dialog = PendingDialog(window, model.pending)
        self.dialog.apply_requested.connect(self.apply)
        self.dialog.discard_requested.connect(self.discard)
        self.dialog.show_requested.connect(self.show_owner)
        form.apply_requested.connect(lambda fence_id: self.apply(self._book.of(fence_id)))
        form.discard_requested.connect(lambda fence_id: self.discard(self._book.of(fence_id)))
        form.pending_bar.review_requested.connect(self.open)
        project.dialog_made.connect(self._follow_settings)
        status.pending_requested.connect(self.open)
        model.pending.changed.connect(self._count)
        model.pending.lost.connect(self._on_lost)
        model.environment_changed.connect(self._count)

    def _follow_settings(self, dialog: SettingsDialog) -> None:
        dialog.apply_requested.connect(lambda: self.apply(self._book.of(None)))
        dialog.discard_requested.connect(lambda: self.discard(self._book.of(None)))
        dialog.pending_bar.review_requested.connect(self.open)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.pending.triggered.connect(lambda: self.open())

    def set_theme(self, theme: Theme) -> None:
        """Colour the list."""
        self.dialog.set_theme(theme)

    def open(self) -> None:
        """List the pending changes, including unfinished input in the forms."""
        self.settle()
        self.dialog.open_list()

    def settle(self) -> None:
        """Turn unfinished input in the forms into pending changes."""
        self._form.settle()
        self._project.settle()

    def show_owner(self, owner: Owner) -> None:
        """Show the record of a change, in Live."""
        if self._model.environment is not _LIVE:
            self._model.show(_LIVE)
        if owner is None:
            self.settings_shown.emit()
        elif self._model.fences.get(owner) is not None:
            self.fence_shown.emit(owner)

    # Discarding

    def discard(self, changes: Iterable[Pending]) -> None:
        """Discard pending changes. The user can undo this for a while."""
        fences = {owner: self._book.fence(owner) for owner in self._book.owners() if owner is not None}
        session = self._model.session
        dropped = self._book.drop(change for change in changes if not change.sent)

        def bring_back() -> None:
            if session is self._model.session:
                self._put_back(dropped, fences)

        if dropped:
            text = tr("Discarded {pending_changes}.", pending_changes=counted(len(dropped), "pending change"))
            self._message.show_info(text, tr("Undo"), bring_back)

    def _put_back(self, dropped: Sequence[Pending], fences: dict[str, Geofence]) -> None:
        assert self._model.session is not None
        engine = self._model.session.engine
        deleted: set[str] = set()
        for fence_id in {change.owner for change in dropped if change.owner is not None}:
            try:
                fences[fence_id] = engine.geofences.get(_LIVE, fence_id)
            except NotFound:
                deleted.add(fence_id)
        self._book.put_back(dropped, fences)
        self._book.follow_settings(engine.settings.get(_LIVE))
        self._book.follow_fences((), deleted)

    # Applying

    def apply(self, changes: Iterable[Pending]) -> None:
        """Apply changes. Values changed in Live in the meantime are overwritten only after a confirmation."""
        present = [change for change in changes if not change.sent and self._book.get(change.key) == change]
        conflicts = [change for change in present if self._book.conflicts(change)]
        self._send([change for change in present if not self._book.conflicts(change)])
        if conflicts:
            self._ask(conflicts)

    def _ask(self, conflicts: Sequence[Pending]) -> None:
        book = self._book
        lines = [conflict_text(book, change) for change in conflicts[:_MAX_LISTED]]
        if len(conflicts) > _MAX_LISTED:
            lines.append(tr("… and {count} more.", count=len(conflicts) - _MAX_LISTED))
        deleted = {change.key for change in conflicts if book.is_deleted(change.owner)}
        verbs = [*([tr("Overwrite")] if len(deleted) < len(conflicts) else []), *([tr("Restore")] if deleted else [])]
        # Only the values in the question are overwritten. A later change is a new conflict.
        seen = {change.key: book.stored(change) for change in conflicts}
        overwrite = partial(self._overwrite, tuple(conflicts), seen)
        text = tr("Live has changed in the meantime. Apply your changes anyway?")
        ask(
            self._window,
            tr("Live"),
            text,
            [(tr(" and ").join(verbs).capitalize(), overwrite)],
            details="\n".join(lines),
        )

    def _overwrite(self, conflicts: Sequence[Pending], seen: Mapping[Key, object]) -> None:
        self._send([change for change in conflicts if self._book.get(change.key) == change], seen)

    def _send(self, changes: Sequence[Pending], seen: Mapping[Key, object] | None = None) -> None:
        """Send the changes of each record together. `seen` holds the known stored values that are overwritten."""
        records: dict[Owner, list[Pending]] = {}
        for change in changes:
            records.setdefault(change.owner, []).append(change)
        parts = []
        for owner, own in records.items():
            before = {change.name: (seen or {}).get(change.key, change.seen) for change in own}
            parts.append(_Part(owner_name(self._book, owner), tuple(own), self._work(owner, own, before)))
        batch = _Batch(len(parts), len(changes))
        self._book.send(changes)
        for portion in batched(parts, _PORTION):
            self._send_portion(portion, batch)

    def _send_portion(self, parts: Sequence[_Part], batch: _Batch) -> None:
        def done(answers: tuple[Outcome | FencewrightError, ...]) -> None:
            settled: list[Pending] = []
            for part, answer in zip(parts, answers, strict=True):
                if isinstance(answer, FencewrightError):
                    self._refuse(part, answer, batch)
                else:
                    settled += part.changes
            stored = [answer.fence for answer in answers if isinstance(answer, Outcome) and answer.fence is not None]
            self._book.settle(settled, stored)
            batch.applied += len(settled)
            self._end(batch, len(parts))

        def failed(error: Exception) -> None:
            for part in parts:
                self._refuse(part, error, batch)
            self._end(batch, len(parts))

        self._model.edit_in(_LIVE, lambda editor: tuple(_tried(part.work, editor) for part in parts), done, failed)

    def _work(
        self, owner: Owner, changes: Sequence[Pending], before: Mapping[str, object]
    ) -> Callable[[FenceEditor], Outcome]:
        if owner is None:
            settings = settings_change(changes)
            return lambda editor: editor.change_settings(settings, before)
        change = fence_change(changes)
        if not self._book.is_deleted(owner):
            return lambda editor: editor.apply(owner, change, before)
        last = self._book.fence(owner)

        def restore(editor: FenceEditor) -> Outcome:
            editor.restore(last)
            return editor.apply(owner, change, {name: part_of(last, name) for name in before})

        return restore

    def _refuse(self, part: _Part, error: Exception, batch: _Batch) -> None:
        """Keep refused changes pending, with the error at its field.

        Changes by others are shown as a conflict instead.
        """
        batch.refusals.append(f"{part.name}: {error_text(error)}")
        changes = part.changes
        if isinstance(error, ChangedByOthers | NotFound):
            self._book.fail(changes, {})
            return
        named = error.param if isinstance(error, InvalidParameter | Conflict) else ""
        names = [change.name for change in changes]
        self._book.fail(changes, dict.fromkeys([named] if named in names else names, error_text(error)))

    def _end(self, batch: _Batch, records: int) -> None:
        """Report the result of a batch once all its records have been answered."""
        batch.records -= records
        if batch.records:
            return
        if not batch.refusals:
            self._message.show_info(tr("Applied {changes} to Live.", changes=counted(batch.applied, "change")))
            return
        text = batch.refusals[0]
        if batch.fields > 1:
            text += tr(
                " Applied {applied_count:,} of {changes} to Live.",
                applied_count=batch.applied,
                changes=counted(batch.fields, "change"),
            )
        self._message.complain(text, tr("Review…"), self.open)

    # Changes by others

    def _on_lost(self, fence: Geofence) -> None:
        text = tr(
            "{geofence_name} was deleted in Live in the meantime. Its pending changes are kept.",
            geofence_name=fence_name(fence),
        )
        self._message.complain(text, tr("Review…"), self.open)

    def _count(self) -> None:
        wrong = any(self._book.conflicts(change) or change.error for change in self._book)
        self._status.show_pending(len(self._book), live=self._model.environment.live, wrong=wrong)

    # Closing

    def leave(
        self,
        verb: str,
        leave: Callable[[Agreed], object],
        stay: Callable[[], object] = lambda: None,
        agreed: Agreed = (),
    ) -> None:
        """Call `leave`, which closes the workspace, if nothing is pending or the user agrees, otherwise `stay`.

        `leave` receives the changes that the user has agreed to discard. Passed as `agreed`, they are not asked about
        again.
        """
        self.settle()
        # Changes that have already been sent will arrive, since closing waits for them.
        waiting = [change for change in self._book if not change.sent and change not in agreed]
        if not waiting:
            leave(agreed)
            return
        if self._question is not None:
            stay()
            return

        def review() -> None:
            stay()
            self.open()

        self._question = ask(
            self._window,
            tr("Pending changes"),
            tr(
                "Discard {pending_changes} and {action}?",
                pending_changes=counted(len(waiting), "pending change"),
                action=verb,
            ),
            [(tr("Review…"), review), (tr("Discard and {action}", action=verb), lambda: leave((*agreed, *waiting)))],
            details=tr("Pending changes are not in Live yet."),
        )
        self._question.finished.connect(self._on_answered)
        self._question.rejected.connect(lambda: stay())

    def _on_answered(self) -> None:
        self._question = None
