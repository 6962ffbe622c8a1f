"""The player sends every update once, in order, when it is due, and leaves no thread."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from threading import Condition, Event, active_count
from typing import cast

import pytest

from engine.domain.errors import InvalidParameter
from engine.domain.geometry import Point
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.simulation.player import Player, PlayerState

START = datetime(2026, 1, 1, tzinfo=UTC)
RESULT = cast(TrackResult, object())


def updates(*seconds: float) -> tuple[LocationUpdate, ...]:
    return tuple(
        LocationUpdate("phone", Point(14.3, 45.7), 10.0, at=START + timedelta(seconds=second)) for second in seconds
    )


@dataclass
class FakeTime:
    """A time source that only advances by waiting."""

    moment: float = 0.0
    waits: list[float] = field(default_factory=list)

    def now(self) -> float:
        return self.moment

    def wait(self, condition: Condition, seconds: float | None) -> None:
        assert seconds is not None
        self.waits.append(round(seconds, 6))
        self.moment += seconds


@dataclass
class Recorder:
    """Records the actions of a player."""

    steps: list[int] = field(default_factory=list)
    errors: list[BaseException] = field(default_factory=list)
    finished: int = 0
    tracked: list[LocationUpdate] = field(default_factory=list)
    refuse: Callable[[LocationUpdate], bool] = lambda _update: False
    react: Callable[[int], None] = lambda _index: None

    def track(self, update: LocationUpdate) -> TrackResult:
        if self.refuse(update):
            raise RuntimeError("refused")
        self.tracked.append(update)
        return RESULT

    def on_step(self, index: int, update: LocationUpdate, result: TrackResult) -> None:
        assert result is RESULT
        assert update is self.tracked[-1]
        self.steps.append(index)
        self.react(index)

    def on_finished(self) -> None:
        self.finished += 1

    def player(
        self, *seconds: float, speed: float | None = None, timekeeper: FakeTime | None = None
    ) -> Player[TrackResult]:
        return Player(
            self.track,
            updates(*seconds),
            speed=speed,
            on_step=self.on_step,
            on_finished=self.on_finished,
            on_error=self.errors.append,
            timekeeper=timekeeper,
        )


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = active_count()
    yield
    assert active_count() == before


def test_as_fast_as_possible_sends_all_in_order() -> None:
    recorder = Recorder()
    player = recorder.player(*range(100))
    player.play()
    assert player.wait(60)
    assert recorder.steps == list(range(100))
    assert recorder.finished == 1
    assert player.state is PlayerState.FINISHED
    assert player.position == player.total == 100


def test_recorded_rhythm_is_divided_by_the_speed() -> None:
    time = FakeTime()
    recorder = Recorder()
    player = recorder.player(0, 10, 10, 40, speed=5.0, timekeeper=time)
    player.play()
    assert player.wait(60)
    assert time.waits == [2.0, 6.0]
    assert recorder.steps == [0, 1, 2, 3]


def test_a_pause_keeps_the_elapsed_time() -> None:
    time = FakeTime()
    recorder = Recorder()
    player = recorder.player(0, 10, 20, speed=1.0, timekeeper=time)

    def pause_after_second(index: int) -> None:
        if index == 1:
            time.moment += 4  # four seconds of the next ten have passed
            player.pause()

    recorder.react = pause_after_second
    player.play()
    assert player.wait(60)
    assert player.state is PlayerState.PAUSED
    time.moment += 1000
    player.play()
    assert player.wait(60)
    assert time.waits == [10.0, 6.0]
    assert recorder.steps == [0, 1, 2]


def test_a_new_speed_holds_for_the_rest_of_the_wait() -> None:
    time = FakeTime()
    recorder = Recorder()
    player = recorder.player(0, 100, speed=1.0, timekeeper=time)

    def speed_up(index: int) -> None:
        if index == 0:
            time.moment += 50
            player.set_speed(10)

    recorder.react = speed_up
    player.play()
    assert player.wait(60)
    assert time.waits == [5.0]
    assert player.speed == 10


def test_an_engine_that_falls_behind_catches_up_without_waiting() -> None:
    time = FakeTime()
    recorder = Recorder()

    def be_slow(_index: int) -> None:
        time.moment += 15

    recorder.react = be_slow
    player = recorder.player(0, 10, 20, 60, speed=1.0, timekeeper=time)
    player.play()
    assert player.wait(60)
    assert recorder.steps == [0, 1, 2, 3]
    assert time.waits == [15.0]


def test_step_sends_exactly_one_and_finishes_at_the_end() -> None:
    recorder = Recorder()
    player = recorder.player(0, 3600, speed=1.0)
    player.step()
    assert player.wait(60)
    assert (recorder.steps, player.state) == ([0], PlayerState.PAUSED)
    player.step()
    assert player.wait(60)
    assert (recorder.steps, player.state) == ([0, 1], PlayerState.FINISHED)
    player.step()
    player.play()
    assert recorder.steps == [0, 1]
    assert recorder.finished == 1


def test_step_while_waiting_sends_the_next_and_pauses() -> None:
    recorder = Recorder()
    first = Event()
    recorder.react = lambda index: first.set()
    player = recorder.player(0, 3600, 7200, speed=1.0)
    player.play()
    assert first.wait(60)
    player.step()
    assert player.wait(60)
    assert recorder.steps == [0, 1]
    assert player.state is PlayerState.PAUSED


def test_stop_interrupts_a_wait_and_play_goes_on() -> None:
    recorder = Recorder()
    first = Event()
    recorder.react = lambda index: first.set()
    player = recorder.player(0, 3600, speed=1.0)
    player.play()
    assert first.wait(60)
    player.stop()
    assert player.state is PlayerState.STOPPED
    player.stop()
    player.set_speed(None)
    player.play()
    assert player.wait(60)
    assert recorder.steps == [0, 1]


def test_stop_from_a_callback_does_not_wait_for_itself() -> None:
    recorder = Recorder()
    player = recorder.player(0, 1, 2)
    recorder.react = lambda index: player.stop()
    player.play()
    assert player.wait(60)
    assert recorder.steps == [0]


def test_a_refused_update_fails_and_is_tried_again() -> None:
    recorder = Recorder(refuse=lambda update: update.at == START + timedelta(seconds=1))
    player = recorder.player(0, 1, 2)
    player.play()
    assert player.wait(60)
    assert player.state is PlayerState.FAILED
    assert [str(error) for error in recorder.errors] == ["refused"]
    recorder.refuse = lambda update: False
    player.play()
    assert player.wait(60)
    assert recorder.steps == [0, 1, 2]
    assert recorder.finished == 1


def test_a_listener_that_raises_fails_the_player_but_repeats_nothing() -> None:
    recorder = Recorder()

    def raise_once(index: int) -> None:
        if index == 1 and not recorder.errors:
            raise BrokenPipeError

    recorder.react = raise_once
    player = recorder.player(0, 1, 2)
    player.play()
    assert player.wait(60)
    assert isinstance(recorder.errors[0], BrokenPipeError)
    player.play()
    assert player.wait(60)
    assert recorder.steps == [0, 1, 2]


def test_seek_goes_anywhere_also_after_the_end() -> None:
    recorder = Recorder()
    player = recorder.player(0, 1, 2)
    player.seek(2)
    player.play()
    assert player.wait(60)
    player.seek(-5)
    assert player.state is PlayerState.PAUSED
    player.step()
    assert player.wait(60)
    assert recorder.steps == [2, 0]


def test_playing_again_from_the_finished_callback() -> None:
    recorder = Recorder()
    player = recorder.player(0, 1)
    rounds: list[int] = []
    over = Event()

    def again() -> None:
        rounds.append(len(recorder.steps))
        if len(rounds) < 3:
            player.seek(0)
            player.play()
        else:
            over.set()

    player._on_finished = again
    player.play()
    # It is in the finished state for a moment after each round.
    assert over.wait(60)
    player.stop()
    assert rounds == [2, 4, 6]


def test_an_empty_track_finishes_at_once() -> None:
    recorder = Recorder()
    player = recorder.player()
    player.play()
    assert player.wait(60)
    assert recorder.finished == 1


@pytest.mark.parametrize("speed", [0, -1, float("nan"), float("inf")])
def test_a_speed_must_be_positive(speed: float) -> None:
    with pytest.raises(InvalidParameter, match="speed"):
        Recorder().player(0, speed=speed)
