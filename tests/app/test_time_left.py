"""The remaining time on progress bars: its texts, and that it does not jump."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.time_left import TimeLeft


class _Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _seconds(text: str) -> float:
    """Return the number of seconds that a text stands for."""
    words = text.split()
    if words[0] == "a":
        return 10.0
    amounts = zip(words[1::2], words[2::2], strict=False)
    return sum(float(amount) * {"s": 1, "min": 60, "h": 3600}[unit] for amount, unit in amounts if amount.isdigit())


def test_nothing_is_shown_before_it_is_known() -> None:
    clock = _Clock()
    left = TimeLeft(clock)
    assert left.text(0, 100) == ""
    clock.now += 3
    assert left.text(50, 100) == ""
    clock.now += 27
    assert left.text(1, 100) == ""
    assert left.text(0, 0) == ""
    assert left.text(50, 100) == "about 30 s left"
    assert left.text(100, 100) == ""


def test_the_time_left_is_shown_rounded() -> None:
    clock = _Clock()
    texts = []
    for done in (2, 5, 10, 50, 90, 99):
        clock.now = 0.0
        left = TimeLeft(clock)
        left.text(0, 100)
        clock.now = 6.0 * 60 * done
        texts.append(left.text(done, 100))
    assert texts == [
        "",
        "about 9 h 30 min left",
        "about 9 h left",
        "about 5 h left",
        "about 1 h left",
        "about 6 min left",
    ]


@pytest.mark.parametrize(("waited_s", "done"), [(600, 0), (0, 60)], ids=["after other work", "when it is under way"])
def test_work_that_is_followed_late_is_estimated_by_its_own_pace(waited_s: float, done: int) -> None:
    clock = _Clock()
    left = TimeLeft(clock)
    clock.now += waited_s
    assert left.text(done, 100) == ""
    clock.now += 60
    assert left.text(done + 20, 100) == ("about 4 min left" if done == 0 else "about 60 s left")


@given(whole=st.floats(60, 10_000))
def test_a_steady_pace_counts_down(whole: float) -> None:
    clock = _Clock()
    left = TimeLeft(clock)
    seconds: list[float] = []
    for step in range(200):
        clock.now = 100.0 + whole * step / 200
        if text := left.text(step, 200):
            seconds.append(_seconds(text))
            assert abs(seconds[-1] - whole * (200 - step) / 200) <= max(60, 0.02 * whole)
    assert seconds == sorted(seconds, reverse=True)


@given(st.lists(st.floats(0.2, 3.0), min_size=60, max_size=300))
def test_an_uneven_pace_does_not_make_it_jump(steps: list[float]) -> None:
    clock = _Clock()
    left = TimeLeft(clock)
    left.text(0, len(steps))
    last = None
    for number, step in enumerate(steps, 1):
        clock.now += step
        if text := left.text(number, len(steps)):
            now = _seconds(text)
            # Rounding changes it by a minute at most.
            assert last is None or abs(now - last) <= 60 + 0.2 * last + step
            last = now
