"""The World data dialog: shows which data there is, and requests a download or a copy."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QLabel, QWidget

from app.desktop.language import tr, translated
from app.desktop.model.help.world_data import cities_text, credit_html, part_text, sizes_text, state_text
from app.desktop.panels.layouts import STRETCH, in_dialog, in_row
from app.desktop.panels.widgets import GRID, button, label
from app.setup.checks import is_frozen, needed
from app.setup.data import ALL_PARTS, PARTS, Part


class WorldDataDialog(QDialog):
    """Emits the user's requests. The dialog is modeless, so that the window stays usable."""

    download_requested = Signal(tuple)
    """Emitted with the parts to download."""

    choose_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("World data"))
        self.setMinimumWidth(520)
        self._busy = False
        self.states: dict[Part, QLabel] = {part: label() for part in ALL_PARTS}
        self.cities = QCheckBox(cities_text())
        self.cities.toggled.connect(lambda _: self.show_state())
        self.credit = label()
        self.credit.setTextFormat(Qt.TextFormat.RichText)
        # The list of credits in About has the link for the keyboard.
        self.credit.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self.credit.setOpenExternalLinks(True)
        self.credit.setText(credit_html())
        self.sizes = label("", "hint", wrap=True)
        self.note = label("", wrap=True)
        self.note.setAccessibleName(tr("Problems"))
        self.download = button(tr("Download"), lambda: self.download_requested.emit(self.parts))
        self.choose = button(tr("From a folder…"), self.choose_requested.emit)
        self.close_button = button(tr("Close"), self.reject)
        self._arrange()
        self.show_state()

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts that the user wants. A self-contained program has the usual ones."""
        usual = () if is_frozen() else PARTS
        return (*usual, "cities") if self.cities.isChecked() else usual

    def show_state(self) -> None:
        """Show which data there is, and what can be done."""
        for part, state in self.states.items():
            state.setText(state_text(part))
        self.cities.setVisible(bool(needed(["cities"])))
        self.cities.setEnabled(not self._busy)
        pending = needed(self.parts)
        self.sizes.setText(f"{sizes_text(pending)}." if pending else "")
        self.sizes.setVisible(bool(pending))
        self.download.setEnabled(bool(pending) and not self._busy)
        self.choose.setEnabled(bool(needed(ALL_PARTS)) and not self._busy)

    def show_busy(self, *, busy: bool) -> None:
        """Show that data is being set up, or that this has ended."""
        self._busy = busy
        self.note.setText(tr("Progress is shown in the status bar.") if busy else "")
        self.show_state()

    def show_problems(self, problems: Sequence[str]) -> None:
        """Show why nothing was set up."""
        self.note.setText("\n".join(f"• {translated(problem)}" for problem in problems))

    def _arrange(self) -> None:
        rows = [in_row((label(part_text(part), wrap=True), 1), state) for part, state in self.states.items()]
        in_dialog(
            self,
            *rows,
            self.credit,
            self.cities,
            GRID,
            self.sizes,
            label(_elsewhere(), "hint", wrap=True),
            self.note,
            STRETCH,
            in_row(self.download, self.choose, STRETCH, self.close_button, margins=(0, GRID, 0, 0)),
        )


def _elsewhere() -> str:
    return tr(
        "Without a network: run “fencewright setup --save FOLDER” on another computer with this version, and choose "
        "that folder here."
    )
