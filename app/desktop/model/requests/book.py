"""The requests shown in the panel, newest first. Their summaries are loaded when they come into view."""

from __future__ import annotations

from collections.abc import Sequence

from app.desktop.model.notify import Notifier
from app.desktop.model.requests.filtering import RequestFilter
from app.exchanges import Exchange, Requests, RequestSummary

NO_FILTER = RequestFilter()


class RequestBook:
    """Rows of a table. `look` may be called in a worker, everything else only in the window's thread."""

    def __init__(self) -> None:
        self.requests: Requests | None = None
        self.live = False
        self.filter = NO_FILTER
        self._rows: list[Exchange] = []
        self._summaries: dict[int, RequestSummary] = {}
        self.replaced: Notifier[[]] = Notifier()
        self.adding: Notifier[[int]] = Notifier()
        self.added: Notifier[[]] = Notifier()
        self.removing: Notifier[[int, int]] = Notifier()
        self.removed: Notifier[[]] = Notifier()

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, row: int) -> Exchange:
        return self._rows[row]

    def follow(self, requests: Requests | None, *, live: bool) -> None:
        """Switch to the requests of another workspace or environment. The book is empty until the next look."""
        self.requests, self.live = requests, live
        self._rows, self._summaries = [], {}
        self.replaced.emit()

    def summary(self, exchange: Exchange) -> RequestSummary:
        """Return the summary of a request, which is read on first access."""
        found = self._summaries.get(exchange.number)
        if found is None:
            assert self.requests is not None
            found = self._summaries[exchange.number] = self.requests.summary(exchange)
        return found

    def row(self, number: int | None) -> int | None:
        """Return the row of a request, or None."""
        if number is None:
            return None
        return next((row for row, each in enumerate(self._rows) if each.number == number), None)

    def look(self, wanted: RequestFilter) -> list[Exchange]:
        """Return the requests that pass the filter, newest first."""
        requests, hidden = self.requests, not self.live
        if requests is None:
            return []
        found = [each for each in requests.snapshot() if each.live is not hidden]
        if wanted.words:
            found = [each for each in found if wanted.matches(self.summary(each))]
        found.reverse()
        return found

    def show(self, rows: Sequence[Exchange]) -> None:
        """Replace the rows. Rows that are already shown are left in place, so that the selection is kept."""
        if not self._grow(rows):
            self._rows = list(rows)
            self.replaced.emit()
        if len(self._summaries) > 2 * len(self._rows) + 1_000:
            kept = {each.number for each in self._rows}
            self._summaries = {number: each for number, each in self._summaries.items() if number in kept}

    def _grow(self, rows: Sequence[Exchange]) -> bool:
        """Insert rows at the top and remove rows at the end; return False if the rows differ in any other way."""
        before = self._rows
        if not before or not rows:
            return not before and not rows
        new = next((at for at, each in enumerate(rows) if each.number <= before[0].number), len(rows))
        end = next((at for at, each in enumerate(before) if each.number < rows[-1].number), len(before))
        if [each.number for each in rows[new:]] != [each.number for each in before[:end]]:
            return False
        if end < len(before):
            self.removing.emit(end, len(before) - 1)
            del before[end:]
            self.removed.emit()
        if new:
            self.adding.emit(new)
            before[:0] = rows[:new]
            self.added.emit()
        return True
