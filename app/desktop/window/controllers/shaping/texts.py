"""The geofence as text: parsed while the user types, previewed on the map, and applied."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.desktop.language import tr
from app.desktop.model.editing.changes import ChangedByOthers, same_content
from app.desktop.model.shaping.faults import Fault
from app.desktop.model.shaping.texts import Format, Read, Wire, read_text, write_text
from app.desktop.model.words import error_text
from app.desktop.panels.geofence.form import FenceForm
from app.desktop.panels.widgets import key_text
from app.desktop.window.controllers.fences import FenceController
from app.desktop.window.controllers.newest import Newest
from app.desktop.workspace_model import WorkspaceModel
from engine.domain.geofence import Geofence

_DRAFTS = 20


class TextController(QObject):
    """Keeps the text and its geofence in sync, whichever of them is edited.

    Invalid text is kept while other geofences are shown, as input in fields is.
    """

    def __init__(self, model: WorkspaceModel, form: FenceForm, fences: FenceController) -> None:
        super().__init__(form)
        self._model, self._form, self._fences = model, form, fences
        self._pane = form.shape.text
        self._shown: Geofence | None = None
        self._read: Read | None = None
        self._drafts: dict[str, tuple[Format, str]] = {}
        self._applying = False
        self._reading = Newest(model.operations.preview)
        self._pane.typed.connect(self._on_typed)
        self._pane.apply_requested.connect(self._on_apply)
        self._pane.wanted.connect(self._on_wanted)
        self._pane.let_go.connect(self._on_let_go)
        form.shape.shape_shown.connect(self._on_shown)
        form.shape.appeared.connect(self._refresh)
        model.opened.connect(self._drafts.clear)

    # The stored geofence

    def _on_shown(self, fence: Geofence | None) -> None:
        before, self._shown = self._shown, fence
        if before is not None and (fence is None or fence.id != before.id):
            self._leave(before)
        if fence is None:
            self._read = None
            return
        if before is None or before.id != fence.id:
            self._bring_back(fence)
        elif not same_content(before, fence):
            self._pane.stale = True
            if self._pane.dirty and not self._applying:
                self._pane.show_status(tr("The geofence was changed meanwhile. Esc shows it as it is now."))
            elif not (self._applying or self._typed_is(fence)):
                self._refresh()

    def _typed_is(self, fence: Geofence) -> bool:
        """Return whether the user has just typed the stored geofence and the text field still has the focus."""
        read = self._read
        is_current = read is not None and read.fence is not None and read.text == self._pane.text
        return is_current and self._pane.edit.hasFocus() and same_content(read.fence, fence)  # type: ignore[union-attr]

    def _refresh(self) -> None:
        """Show the stored geofence if the text is visible and not being edited."""
        fence, wire = self._shown, self._wire()
        if fence is None or wire is None or self._pane.dirty or not self._pane.isVisible() or not self._pane.stale:
            return
        self._read = None
        self._pane.show_text(write_text(fence, self._pane.format, wire))

    def _bring_back(self, fence: Geofence) -> None:
        self._pane.stale = True
        self._read = None
        self._pane.dirty = False
        draft = self._drafts.pop(fence.id, None)
        if draft is None:
            self._refresh()
            return
        format, text = draft
        self._pane.formats.setCurrentIndex(list(Format).index(format))
        self._pane.edit.setPlainText(text)

    def _on_wanted(self) -> None:
        self._reading.forget()
        self._pane.stale = True
        self._preview(None)
        self._refresh()

    def _on_let_go(self) -> None:
        """Reformat the text when the field loses the focus."""
        if not self._pane.dirty:
            self._pane.stale = True
            self._refresh()

    # The typed text

    def _on_typed(self) -> None:
        fence, wire, session = self._shown, self._wire(), self._model.session
        if fence is None or wire is None or session is None:
            return
        text, format, judge = self._pane.text, self._pane.format, session.engine.geofences.judged_change
        environment = fence.environment

        def work() -> Read:
            return read_text(text, format, fence, wire, lambda fence, change: judge(environment, fence, change))

        def failed(error: Exception) -> None:
            self._answer(fence, Read(text, fault=Fault(error_text(error))))

        self._reading.ask(work, lambda read: self._answer(fence, read), failed)

    def _answer(self, fence: Geofence, read: Read) -> None:
        if self._shown is None or self._shown.id != fence.id or not self._pane.dirty or read.text != self._pane.text:
            return
        self._read = read
        if read.fault is not None:
            self._pane.show_status("", read.fault)
            self._preview(None)
        elif not read.changes:
            self._pane.accept(tr("As stored"))
            self._preview(None)
        else:
            self._pane.show_status(_waits(fence))
            self._preview(read.fence)
            if not fence.environment.live:
                self._pane.wait()

    def _preview(self, fence: Geofence | None) -> None:
        shown = fence or self._shown
        if shown is not None:
            self._fences.preview_shape(shown.id, shown.geometry)

    def _on_apply(self, requested: bool) -> None:
        read, fence = self._read, self._shown
        if read is None or read.text != self._pane.text:
            if requested and self._pane.dirty:
                self._on_typed()
                self._pane.wait()
            return
        if fence is not None and self._pane.dirty and read.changes:
            self._apply(fence, read)

    def _apply(self, fence: Geofence, read: Read) -> None:
        """Store the parsed text, after a confirmation in Live, and show any error next to it."""
        change = read.change
        assert change is not None
        self._applying = True

        def done() -> None:
            self._applying = False
            if self._is_shown(fence) and read.text == self._pane.text:
                self._pane.accept(tr("Applied"))

        def failed(error: Exception) -> None:
            self._applying = False
            text = error_text(error)
            if isinstance(error, ChangedByOthers):
                text += tr(" Esc shows it as it is now.")
            if self._is_shown(fence):
                self._pane.show_status("", Fault(text))
            else:
                self._drafts[fence.id] = self._pane.format, read.text
                self._model.problem.emit(f"{fence.description}: {text}")

        def cancelled() -> None:
            self._applying = False

        self._fences.store_text(fence, change, done, failed, cancelled)

    def _leave(self, fence: Geofence) -> None:
        """Apply valid text in Test before another geofence is shown, and keep any other text as a draft."""
        if not self._pane.dirty:
            return
        read = self._read
        if read is not None and read.text == self._pane.text and read.changes and not fence.environment.live:
            self._apply(fence, read)
        else:
            while len(self._drafts) >= _DRAFTS:
                self._drafts.pop(next(iter(self._drafts)))
            self._drafts[fence.id] = self._pane.format, self._pane.text
            self._fences.preview_shape(fence.id, fence.geometry)

    def _is_shown(self, fence: Geofence) -> bool:
        return self._shown is not None and self._shown.id == fence.id

    def _wire(self) -> Wire | None:
        session = self._model.session
        return None if session is None else Wire(session.geofence_json, session.read_geofence_json)


def _waits(fence: Geofence) -> str:
    if fence.environment.live:
        return tr("Valid. Apply it with {shortcut}.", shortcut=key_text("Ctrl+Enter"))
    return tr("Valid. Applied after a pause, or with {shortcut}.", shortcut=key_text("Ctrl+Enter"))
