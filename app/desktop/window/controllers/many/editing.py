"""Operations on all selected geofences: editing, enabling, tagging, duplicating, copying and deleting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from app.desktop.dialogs.bulk_edit.dialog import BulkEditDialog
from app.desktop.language import counted, tr
from app.desktop.map.values import Theme
from app.desktop.model.editing.changes import ChangedByOthers, FenceEditor, Outcome, names_of
from app.desktop.model.words import error_text, fence_name
from app.desktop.operations import Task
from app.desktop.window.actions.actions import Actions
from app.desktop.window.controllers.fences import FenceController
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.errors import Conflict, InvalidParameter, NotFound
from engine.domain.geofence import Geofence, GeofenceChange
from engine.domain.ports import Cancelled


class Deed(Struct, frozen=True):
    """The wording of an operation on geofences, as a verb, a step, a question and a result.

    All but the verb are functions of a description of the geofences.
    """

    verb: str
    step: Callable[[str], str]
    question: Callable[[str], str]
    done: Callable[[str], str]


_EDIT = Deed(
    tr("Edit"),
    lambda geofences: tr("Edit {geofences}", geofences=geofences),
    lambda geofences: tr("Edit {geofences} in Live?", geofences=geofences),
    lambda geofences: tr("Edited {geofences}.", geofences=geofences),
)
_MADE_AT_ONCE: Final = 1_000
"""Maximum number of geofences that are built without a noticeable delay."""

_ENABLE = Deed(
    tr("Enable"),
    lambda geofences: tr("Enable {geofences}", geofences=geofences),
    lambda geofences: tr("Enable {geofences} in Live?", geofences=geofences),
    lambda geofences: tr("Enabled {geofences}.", geofences=geofences),
)
_DISABLE = Deed(
    tr("Disable"),
    lambda geofences: tr("Disable {geofences}", geofences=geofences),
    lambda geofences: tr("Disable {geofences} in Live?", geofences=geofences),
    lambda geofences: tr("Disabled {geofences}.", geofences=geofences),
)


SET_HOURS = Deed(
    tr("Set hours"),
    lambda geofences: tr("Set hours of {geofences}", geofences=geofences),
    lambda geofences: tr("Set hours of {geofences} in Live?", geofences=geofences),
    lambda geofences: tr("Set hours of {geofences}.", geofences=geofences),
)


class SeveralController(QObject):
    """Performs the actions on the selected geofences, each as one step."""

    def __init__(self, window: QWidget, model: WorkspaceModel, fences: FenceController) -> None:
        super().__init__(window)
        self._window, self._model, self._fences = window, model, fences
        self._theme: Theme = "light"
        self.dialog: BulkEditDialog | None = None

    def connect_actions(self, actions: Actions) -> None:
        """Connect the actions."""
        actions.edit_selected.triggered.connect(lambda: self.edit())
        actions.set_tag.triggered.connect(lambda: self.edit("tag"))
        actions.enable.triggered.connect(lambda: self.enable(on=True))
        actions.disable.triggered.connect(lambda: self.enable(on=False))
        needing = actions.edit_selected, actions.set_tag, actions.enable, actions.disable

        def show() -> None:
            for action in needing:
                action.setEnabled(bool(self._model.selection.fence_ids))

        self._model.selection.changed.connect(show)
        self._model.selection.changed.connect(self._make_selected)
        self._model.opened.connect(show)
        show()

    def _make_selected(self) -> None:
        """Build many geofences in the background while the user chooses an operation."""
        fences, ids = self._model.fences, self._model.selection.fence_ids
        if len(ids) > _MADE_AT_ONCE:
            self._model.operations.retire(lambda: fences.make(ids))

    def set_theme(self, theme: Theme) -> None:
        """Set the theme for the icons of dialogs opened from now on."""
        self._theme = theme

    def selected(self) -> list[Geofence]:
        """Return the selected geofences."""
        found = map(self._model.fences.get, self._model.selection.fence_ids)
        return [fence for fence in found if fence is not None]

    def enable(self, *, on: bool) -> None:
        """Enable or disable the selected geofences that are not yet in this state."""
        fences = [fence for fence in self.selected() if fence.enabled != on]
        if fences:
            self.change(fences, GeofenceChange(enabled=on), _ENABLE if on else _DISABLE)

    # Bulk edit

    def edit(self, field: str | None = None) -> None:
        """Open the bulk edit of the selected geofences with the keyboard focus in a field."""
        fences = self.selected()
        if not fences or self.dialog is not None:
            return
        model = self._model
        dialog = BulkEditDialog(self._window, fences, model.fences.tags(), model.settings, self._theme)
        self.dialog = dialog
        dialog.applied.connect(self._apply)
        dialog.finished.connect(self._on_finished)
        model.environment_changed.connect(dialog.discard)

        def follow(task: Task) -> None:
            if task.text == _EDIT.step(_name_of(dialog.fences)):
                dialog.follow(task)

        model.operations.started.connect(follow)
        dialog.finished.connect(lambda: model.operations.started.disconnect(follow))
        dialog.open()
        if field is not None:
            dialog.fields[field].touch()

    def _on_finished(self) -> None:
        self.dialog = None

    def _apply(self, change: GeofenceChange) -> None:
        dialog = self.dialog
        if dialog is None:
            return

        def shown(act: Callable[[], object]) -> None:
            # The dialog may have been closed, and another one opened.
            if self.dialog is dialog:
                act()

        def failed(error: Exception) -> None:
            shown(lambda: dialog.set_busy(False))
            if self.dialog is not dialog:
                self._model.report_error(error)
                return
            if isinstance(error, ChangedByOthers | NotFound):
                # A second attempt applies to the geofences as they are now.
                known = [self._model.fences.get(fence.id) for fence in dialog.fences]
                there = [fence for fence in known if fence is not None]
                if not there:
                    dialog.reject()
                    self._model.report_error(error)
                    return
                dialog.show_fences(there)
            param = error.param if isinstance(error, InvalidParameter | Conflict | NotFound) else ""
            cancelled = isinstance(error, Cancelled)
            dialog.show_error(param, tr("Cancelled; nothing was changed.") if cancelled else error_text(error))

        dialog.set_busy(True)
        self.change(
            dialog.fences,
            change,
            _EDIT,
            lambda: shown(dialog.accept),
            failed,
            lambda: shown(lambda: dialog.set_busy(False)),
        )

    def change(
        self,
        fences: list[Geofence] | tuple[Geofence, ...],
        change: GeofenceChange,
        deed: Deed,
        done: Callable[[], object] = lambda: None,
        failed: Callable[[Exception], None] | None = None,
        cancelled: Callable[[], object] | None = None,
    ) -> None:
        """Make the same change to several geofences as one step. In Live, ask for confirmation."""
        try:
            self._model.fences.locks.check_change(fences, names_of(change))
        except Conflict as error:
            (failed or self._model.report_error)(error)
            return
        subject = _name_of(fences)
        text, ids = deed.step(subject), {fence.id for fence in fences}

        def work(editor: FenceEditor) -> Outcome:
            return editor.edit_all(text, fences, change)

        def finish(_: Outcome) -> None:
            # This change is newer than pending changes of the same fields.
            pending, names = self._model.pending, names_of(change)
            pending.drop([each for each in pending if each.owner in ids and each.name in names])
            done()

        self._fences.change_all(
            deed.question(subject),
            deed.verb,
            deed.done(subject),
            work,
            finish,
            failed,
            cancelled,
            text,
        )


def _name_of(fences: Sequence[Geofence]) -> str:
    return fence_name(fences[0]) if len(fences) == 1 else counted(len(fences), "geofence")
