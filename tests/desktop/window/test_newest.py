"""One question at a time."""

from __future__ import annotations

from app.desktop.window.controllers.newest import Newest


def test_only_the_newest_query_is_sent_and_answered() -> None:
    waiting: list[tuple[object, object]] = []
    results: list[object] = []
    newest = Newest(lambda work, done, failed: waiting.append((work, done)))
    for number in range(4):
        newest.ask(lambda number=number: number, results.append, results.append)  # type: ignore[misc]

    def answer() -> None:
        work, done = waiting.pop(0)
        done(work())  # type: ignore[operator]

    assert len(waiting) == 1
    answer()
    assert (results, len(waiting)) == ([], 1)
    answer()
    assert (results, waiting) == ([3], [])
    newest.ask(lambda: 9, results.append, results.append)
    newest.forget()
    answer()
    assert results == [3]
