"""The devices that can be chosen for a replay, each with its box."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from app.desktop.language import tr


class DeviceList(QListWidget):
    """Devices by their names. One that comes or goes leaves the rows of the others, and what is chosen, as they are."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Devices"))
        self.setFixedHeight(72)
        self.setUniformItemSizes(True)
        self._names: list[str] = []
        self._known: set[str] = set()
        self._unchosen: set[str] = set()
        """Also those that are not offered now: they may come back."""

    def chosen(self) -> tuple[str, ...]:
        """Return the chosen devices."""
        return tuple(name for row, name in enumerate(self._names) if self._is_chosen(row))

    def show_devices(self, devices: Iterable[str]) -> None:
        """Offer exactly these devices."""
        wanted = set(filter(None, devices))
        for row in reversed([row for row, name in enumerate(self._names) if name not in wanted]):
            if not self._is_chosen(row):
                self._unchosen.add(self._names[row])
            self.takeItem(row)
            del self._names[row]
        self._known &= wanted
        if not wanted:
            self._unchosen.clear()
        self.add_devices(wanted)

    def add_devices(self, devices: Iterable[str]) -> None:
        """Offer these devices, too: chosen, unless they were not when they went."""
        for name in sorted({name for name in devices if name} - self._known):
            row = bisect_left(self._names, name)
            item = QListWidgetItem(name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            chosen = name not in self._unchosen
            item.setCheckState(Qt.CheckState.Checked if chosen else Qt.CheckState.Unchecked)
            self._unchosen.discard(name)
            self.insertItem(row, item)
            self._names.insert(row, name)
            self._known.add(name)

    def _is_chosen(self, row: int) -> bool:
        return self.item(row).checkState() is Qt.CheckState.Checked
