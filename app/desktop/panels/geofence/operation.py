"""The small panel over the map for trying out an operation on shapes before applying it."""

from __future__ import annotations

from enum import Enum
from math import exp, log

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from app.desktop.language import tr, translated
from app.desktop.model.words import capital
from app.desktop.panels.fields.basic import ChoiceBox
from app.desktop.panels.fields.sliding import SlidingNumber
from app.desktop.panels.layouts import STRETCH, in_column, in_row
from app.desktop.panels.widgets import GRID, Field, button, label

_WIDTH = 340
_STEPS = 400
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Amount(Struct, frozen=True):
    """A number for the user to choose: the range of its slider, and whether the steps are ratios or differences."""

    title: str
    unit: str
    smallest: float
    largest: float
    start: float
    shares: bool = True
    whole: bool = False
    lowest: float = 0.0
    highest: float = 1e9


class AmountEdit(SlidingNumber):
    """An amount that the user can drag or type."""

    def __init__(self, amount: Amount) -> None:
        self._amount = amount
        super().__init__(amount.title, amount.unit, 0, _STEPS)
        self.number.setRange(amount.lowest, amount.highest)
        if amount.whole:
            self.number.setDecimals(0)
        self.set_value(amount.start)

    def step_of(self, value: float) -> int:
        """Return the slider's step for a number."""
        a = self._amount
        within = min(max(value, a.smallest), a.largest)
        if a.shares:
            return round(_STEPS * log(within / a.smallest) / log(a.largest / a.smallest))
        return round(_STEPS * (within - a.smallest) / (a.largest - a.smallest))

    def value_at(self, step: int) -> float:
        """Return the number at a step of the slider, as a round number."""
        a, share = self._amount, step / _STEPS
        exact = (
            a.smallest * exp(share * log(a.largest / a.smallest))
            if a.shares
            else a.smallest + share * (a.largest - a.smallest)
        )
        if a.whole:
            return float(round(exact))
        size = abs(exact)
        unit = 0.1 if size < 5 else 1 if size < 100 else 5 if size < 1_000 else 50
        return round(round(exact / unit) * unit, 1)


class OperationPanel(QFrame):
    """A panel with the subject of an operation, its options and its result.

    `changed` is emitted on each choice and each movement of the slider. Enter applies the operation and Escape cancels
    it.
    """

    changed = Signal()
    apply_requested = Signal()
    cancel_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("OperationPanel")
        self.setFixedWidth(_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.title = label("", "label", wrap=True)
        self.about = label("", "hint", wrap=True)
        self.note = label("", wrap=True)
        self.error = label("", "error", wrap=True)
        self.amount: AmountEdit | None = None
        self.choice, self.parts = ChoiceBox(), ChoiceBox()
        self._choices: dict[ChoiceBox, tuple[Enum, ...]] = {}
        self.apply_button = button(tr("Apply"), self._apply, "primary")
        self.apply_button.setToolTip(tr("Apply it (Enter)"))
        self.cancel_button = button(tr("Cancel"), self.cancel_requested.emit)
        self.cancel_button.setToolTip(tr("Leave everything as it is (Esc)"))
        self._arrange()
        for box, name in ((self.choice, tr("Choice")), (self.parts, tr("Parts"))):
            box.setAccessibleName(name)
            box.activated.connect(lambda _: self.changed.emit())
        self.hide()

    def begin(self, title: str, about: str, amount: Amount | None = None, choices: tuple[Enum, ...] = ()) -> None:
        """Show another operation with an empty preview."""
        self.title.setText(title)
        self.about.setText(about)
        self.about.setVisible(bool(about))
        self._replace_amount(amount)
        self.offer(self.choice, choices)
        self.offer(self.parts, ())
        self.show_note("")
        self.show()
        self.raise_()
        field = self.amount.number if self.amount is not None else self.choice if choices else self
        field.setFocus(Qt.FocusReason.OtherFocusReason)
        if self.amount is not None:
            self.amount.number.selectAll()

    def end(self) -> None:
        """Close the panel and discard the operation except for its choices."""
        self.hide()
        self._replace_amount(None)

    def offer(self, box: ChoiceBox, choices: tuple[Enum, ...]) -> None:
        """Offer choices, or hide the box if there are none.

        The current choice is kept if the choices are the same as before.
        """
        if self._choices.get(box) != choices:
            self._choices[box] = choices
            box.clear()
            for each in choices:
                box.addItem(translated(capital(str(each.value))))
        box.setVisible(bool(choices))
        self.adjustSize()

    def chosen[E: Enum](self, box: ChoiceBox, otherwise: E) -> E:
        """Return the current choice of a box, or `otherwise` if there is none."""
        choices, at = self._choices.get(box, ()), box.currentIndex()
        found = choices[at] if 0 <= at < len(choices) else otherwise
        assert isinstance(found, type(otherwise))
        return found

    @property
    def value(self) -> float:
        """The displayed amount."""
        return self.amount.shown if self.amount is not None else 0.0

    def show_note(self, note: str, error: str = "", *, ready: bool = False) -> None:
        """Show the result or the error. With `ready` the user can apply the operation."""
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.error.setText(error)
        self.error.setVisible(bool(error))
        self.apply_button.setEnabled(ready)
        self.adjustSize()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply or cancel."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancel_requested.emit()
        elif event.key() in _ENTER:
            self._apply()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Adopt the size from the style sheet."""
        super().showEvent(event)
        self.adjustSize()

    def _apply(self) -> None:
        if self.amount is None or self.amount.number.take():
            self.apply_requested.emit()

    def _replace_amount(self, amount: Amount | None) -> None:
        while (item := self._place.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.amount = None
        if amount is not None:
            self.amount = AmountEdit(amount)
            self.amount.previewed.connect(lambda _: self.changed.emit())
            self.amount.committed.connect(lambda _: self.changed.emit())
            self._place.addWidget(Field(amount.title, self.amount, self.amount.number, gap=False))

    def _arrange(self) -> None:
        row = in_row(STRETCH, self.apply_button, self.cancel_button, spacing=GRID)
        self._place = QVBoxLayout()
        in_column(
            self.title,
            self.about,
            self.choice,
            self._place,
            self.parts,
            self.note,
            self.error,
            row,
            of=self,
            margins=12,
            spacing=GRID,
        )
