"""Promotion of geofences between the dialog, the map and the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.files import CHANGE_SETS, FileChooser
from app.desktop.dialogs.review.promotion import PromotionDialog
from app.desktop.language import counted, tr
from app.desktop.map import MapView
from app.desktop.map.values import Theme
from app.desktop.model.editing.changes import FenceEditor, Outcome
from app.desktop.model.review.promotion import PromotionBook, outcome, question
from app.desktop.model.words import error_text
from app.desktop.operations import Lane
from app.desktop.relay import Relay
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.review.shapes import ReviewShapes
from app.desktop.window.live_confirmation import LiveConfirmation
from app.desktop.window.message import MessageLine
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.environment import Environment
from engine.domain.ports import Cancelled, Progress
from engine.domain.queries import Change
from engine.geofences.promotion.differences import Difference
from engine.geofences.promotion.promotions import Plan, PromotionQuery


class PromotionController(QObject):
    """Compares the environments, shows the differences, and promotes the chosen ones in one step."""

    def __init__(
        self,
        window: QWidget,
        model: WorkspaceModel,
        map_view: MapView,
        files: FileChooser,
        message: MessageLine,
        confirmation: LiveConfirmation,
    ) -> None:
        super().__init__(window)
        self._window, self._model = window, model
        self._shapes = ReviewShapes(model, map_view, "promotion")
        self._files, self._message, self._confirmation = files, message, confirmation
        self._theme: Theme = "light"
        self._comparing = self._promoting = False
        self._unsubscribe: Callable[[], None] = _nothing
        self._outdated = Relay(self)
        self._outdated.rung.connect(self._on_outdated)
        self.dialog: PromotionDialog | None = None
        model.opened.connect(self._close)

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.promote.triggered.connect(lambda: self.compare(Environment.TEST, Environment.LIVE))
        actions.promote_back.triggered.connect(lambda: self.compare(Environment.LIVE, Environment.TEST))

    def set_theme(self, theme: Theme) -> None:
        """Set the theme of the next dialog."""
        self._theme = theme

    def compare(self, source: Environment, target: Environment) -> None:
        """Compare two environments and open the dialog with their differences."""
        session = self._model.session
        if session is None or self._comparing:
            return
        if self._model.sandbox is not None:
            self._message.complain(tr("Keep or discard the sandbox first."))
            return
        self._close()
        self._comparing = True
        promotions = session.engine.promotions
        query = PromotionQuery(source=source, target=target, delete_missing=True)

        def work(progress: Progress) -> Plan:
            progress(0, 1)
            return promotions.plan(query)

        def done(plan: Plan) -> None:
            self._comparing = False
            if session is self._model.session:
                self._open(PromotionBook(plan))

        def failed(error: Exception) -> None:
            self._comparing = False
            if not isinstance(error, Cancelled):
                self._model.report_error(error)

        self._model.operations.aside(Lane.CHECKING, tr("Comparing Test and Live"), work, done, failed)

    def _open(self, book: PromotionBook) -> None:
        dialog = self.dialog = PromotionDialog(self._window, book, self._theme)
        changes = book.plan.changes
        dialog.row_chosen.connect(self._show)
        dialog.promote_requested.connect(self.ask)
        dialog.save_requested.connect(self._choose_file)
        dialog.again_requested.connect(lambda: self.compare(changes.source, changes.target))
        dialog.finished.connect(self._on_finished)
        session = self._model.session
        if session is not None:
            self._unsubscribe = session.engine.changes.subscribe(self._note)
        dialog.show()
        if book.items:
            self._show(book.items[0])

    def _note(self, change: Change) -> None:
        """Note, in the writer's thread, that geofences have changed in any environment."""
        if change.geofences or change.removed_geofence_ids:
            self._outdated.ring()

    def _on_outdated(self) -> None:
        if self.dialog is not None and not self._promoting:
            self.dialog.show_hint(tr("Geofences have changed since they were compared."))

    # Promoting

    def ask(self) -> None:
        """Promote the chosen changes, after a confirmation if the target is Live."""
        dialog = self.dialog
        if dialog is None:
            return
        book = dialog.book
        live = book.plan.changes.target.live
        self._confirmation.confirm(question(book), tr("Promote"), lambda: self._promote(dialog), live=live)

    def _promote(self, dialog: PromotionDialog) -> None:
        session, changes, text = self._model.session, dialog.book.chosen(), outcome(dialog.book)
        if session is None or self.dialog is not dialog:
            return
        promotions, target = session.engine.promotions, changes.target

        def work(editor: FenceEditor) -> Outcome:
            steps = [(before, after, before or after) for before, after in promotions.steps(changes)]
            seen = {fence.id: before for before, _, fence in steps if fence is not None}
            wanted = {fence.id: after for _, after, fence in steps if fence is not None}
            return editor.put_all(text, seen, wanted)

        def done(made: Outcome) -> None:
            self._promoting = False
            if self.dialog is dialog:
                dialog.accept()
            message = tr(
                "Promoted {geofences} to {target_environment}.",
                geofences=counted(len(changes.items), "geofence"),
                target_environment=target.value.capitalize(),
            )
            self._message.show_info(message, tr("Undo"), lambda: self._undo(target, made.entry))

        def failed(error: Exception) -> None:
            self._promoting = False
            if self.dialog is dialog:
                dialog.show_busy(False)
                dialog.show_error(error_text(error))
            else:
                self._model.report_error(error)

        self._promoting = True
        dialog.show_busy(True)
        dialog.show_error("")
        self._model.edit_in(target, work, done, failed)

    def _undo(self, target: Environment, entry: int | None) -> None:
        """Undo a promotion, regardless of the environment shown, unless a later change followed it."""

        def act() -> None:
            self._model.edit_in(
                target, lambda editor: editor.undo(entry=entry), lambda _: None, self._model.report_error
            )

        self._confirmation.confirm(tr("Undo the promotion in Live?"), tr("Undo"), act, live=target.live)

    # Saving

    def _choose_file(self) -> None:
        self._files.save_file(tr("Save the change set"), "changes.json", CHANGE_SETS, self.save)

    def save(self, file: Path) -> None:
        """Write the chosen changes to a file."""
        dialog, session = self.dialog, self._model.session
        if dialog is None or session is None:
            return
        changes = dialog.book.chosen()

        def done(_: None) -> None:
            self._message.show_info(
                tr(
                    "Saved {changes} to {file_name}.",
                    changes=counted(len(changes.items), "change"),
                    file_name=file.name,
                )
            )

        def failed(error: Exception) -> None:
            if self.dialog is dialog:
                dialog.show_error(error_text(error))
            else:
                self._model.report_error(error)

        self._model.operations.read(lambda: session.save_change_set(file, changes), done, failed)

    def _show(self, item: Difference) -> None:
        self._shapes.show(item.seen, item.wanted)

    def _on_finished(self) -> None:
        self.dialog = None
        self._unsubscribe()
        self._unsubscribe = _nothing
        self._shapes.clear()

    def _close(self) -> None:
        if self.dialog is not None:
            self.dialog.close()


def _nothing() -> None:
    """Do nothing; stands in for the unsubscribe function when no dialog is open."""
