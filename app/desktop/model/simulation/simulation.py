"""Playback of a track through the engine: the loaded track and the position in it."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial

from app.desktop.model.notify import Notifier
from app.desktop.model.simulation.sender import DEFAULT_ACCURACY_M, Demonstration, Sender, Timing
from app.desktop.model.simulation.status import Sent, SimulationState, Status
from app.recordings import Recording
from engine.domain.tracking.tracks import Track
from engine.domain.tracking.trips import TripStatus
from engine.domain.tracking.updates import LocationUpdate, TrackResult
from engine.domain.values import replace
from engine.simulation.phone import EXACT, Phone
from engine.simulation.player import Player, PlayerState
from engine.simulation.timing import ScheduledFix, recorded_start, timed_points

type SendUpdate = Callable[[LocationUpdate], TrackResult]


def position_of(index: int) -> int:
    """Return the playback position at which a fix is shown: 0 for the first fix, otherwise just after it was sent."""
    return 0 if index == 0 else index + 1


_STATES = {
    PlayerState.PLAYING: SimulationState.PLAYING,
    PlayerState.FINISHED: SimulationState.FINISHED,
    PlayerState.FAILED: SimulationState.FAILED,
}


class Simulation:
    """Plays one track as one device.

    Must be used in the thread of the window; only `progressed` is emitted in the player's thread. A player that is no
    longer needed is passed to `retire` as a callback that waits for its thread. Call it where blocking is allowed.
    """

    def __init__(self, retire: Callable[[Callable[[], None]], None]) -> None:
        self.track: Track | None = None
        self.fixes: tuple[ScheduledFix, ...] = ()
        """The fixes that the phone reports along the track."""
        self.exact: tuple[ScheduledFix, ...] = ()
        """The exact fixes of the track."""
        self.phone = EXACT
        self.timing = Timing()
        self.demonstration: Demonstration | None = None
        self.loaded: Notifier[[]] = Notifier()
        self.progressed: Notifier[[]] = Notifier()
        self.moved: Notifier[[]] = Notifier()
        """Emitted when the user plays, steps or seeks, which makes the track the current subject."""
        self.shown: Notifier[[]] = Notifier()
        """Emitted when the track is moved to a fix, by the user or because its outcome is being viewed."""
        self._retire = retire
        self._send: SendUpdate | None = None
        self._player: Player[TrackResult] | None = None
        self._sender = Sender()
        self._speed: float | None = 10.0
        self._own: tuple[Sender, float | None] | None = None
        """The user's sender and speed while a demonstration is loaded."""
        self._live = False
        self._error: BaseException | None = None
        self._retimed = self._unrouted = 0
        self.series = 0
        """Number that increases when sent updates are discarded: after a reset, or with another track or device."""
        self._sent: list[Sent] = []
        self._accepted: dict[int, datetime] = {}

    @property
    def sender(self) -> Sender:
        """The device that the track is played as."""
        return self._sender

    @property
    def device(self) -> str:
        """The device ID of the updates."""
        return self._sender.device

    @property
    def playable(self) -> bool:
        """Whether the track may be played in this environment. Demonstrations may be played only in Test."""
        return self._send is not None and not (self._live and self.demonstration is not None)

    @property
    def speed(self) -> float | None:
        """The factor applied to recorded time, or None for the maximum speed."""
        return self._speed

    @property
    def status(self) -> Status:
        """Current state and position of the simulator."""
        if self.track is None:
            return Status(SimulationState.EMPTY)
        total = len(self.fixes)
        if self._player is None:
            return Status(SimulationState.STOPPED, 0, total, None, None)
        position = self._player.position
        at = self.fixes[position - 1].at if position else None
        state = _STATES.get(self._player.state, SimulationState.PAUSED)
        if state is SimulationState.PAUSED and position == 0:
            state = SimulationState.STOPPED
        error = self._error if state is SimulationState.FAILED else None
        return Status(state, position, total, at, error, self._retimed, self._unrouted, self.accepted_at(position - 1))

    @property
    def shown_index(self) -> int:
        """Index of the shown fix: the last one that was sent, or the first one at the start."""
        return max(self.status.position, 1) - 1

    @property
    def exact_index(self) -> int:
        """Index of the shown fix in `exact`. A phone reports no fixes during a gap but keeps their times."""
        index, at = self.shown_index, self.fixes[self.shown_index].at
        same = index - bisect_left(self.fixes, at, key=_time)
        return bisect_left(self.exact, at, key=_time) + same

    def accuracy_m(self, fix: ScheduledFix) -> float:
        """Return the accuracy that is sent with a fix. If noise of a phone is simulated, it is that of the noise."""
        own = fix.accuracy_m if self._reported_m is None else None
        return (own or self._reported_m) or DEFAULT_ACCURACY_M

    @property
    def _reported_m(self) -> float | None:
        """The accuracy sent with all fixes, or None if each has its own, recorded or from noise."""
        return None if self.phone.noise is not None else self._sender.accuracy_m

    @property
    def sent(self) -> Sequence[Sent]:
        """Updates sent of this track as this device, in order. The sequence grows during playback."""
        return self._sent

    def accepted_at(self, index: int) -> datetime | None:
        """Return the time that the engine assigned to a fix when it was last sent, or None if it was not sent."""
        return self._accepted.get(index)

    def recording(self) -> Recording | None:
        """Return the track as it is played, with its device, or None if no track is loaded."""
        if self.track is None:
            return None
        sender = self._sender
        return Recording(
            self.track.name,
            self.fixes,
            sender.device,
            self._reported_m,
            sender.foreground,
            sender.stopped,
            sender.trip_to,
            next(index for index in range(len(self.fixes) + 1) if index not in self._accepted),
            recorded_start(self.track),
        )

    def send_to(self, send: SendUpdate | None, *, live: bool = False) -> None:
        """Set the function that sends updates, and whether it sends to Live. Playback is stopped."""
        self._send, self._live = send, live
        self._discard_player()
        self._forget_sent()
        self.loaded.emit()

    def load(self, track: Track, timing: Timing, now: datetime, demonstration: Demonstration | None = None) -> None:
        """Load a track; raises `InvalidParameter` for ``assume_speed_kmh`` if it needs a speed and has none."""
        fixes = timed_points(track, now=now, assume_speed_kmh=timing.assume_speed_kmh, start=timing.start)
        self._discard_player()
        self._forget_sent()
        self._demonstrate(demonstration)
        self.track, self.fixes, self.timing = track, fixes, timing
        self.exact, self.phone = fixes, EXACT
        if demonstration is None:
            self._adopt_accuracy()
        self.loaded.emit()

    def carry(self, phone: Phone, fixes: tuple[ScheduledFix, ...]) -> None:
        """Use a phone that reports these `fixes` of the track. Playback is stopped."""
        self._discard_player()
        self._forget_sent()
        self.phone, self.fixes = phone, fixes
        self.loaded.emit()

    def unload(self) -> None:
        """Unload the track."""
        self._discard_player()
        self._forget_sent()
        self._demonstrate(None)
        self.track, self.fixes, self.exact, self.phone = None, (), (), EXACT
        self.loaded.emit()

    def configure(self, sender: Sender) -> None:
        """Play as this device from the next update on; raises `InvalidParameter` naming the invalid field."""
        sender.updates(self.fixes[:1], self.phone)
        if sender == self._sender:
            return
        position = self.status.position
        self._discard_player()
        if sender.device != self._sender.device:
            self._forget_sent()
        self._sender = sender
        if 0 < position < len(self.fixes):  # at the end of a track, playback restarts
            self._need_player().seek(position)
        self.progressed.emit()

    def set_speed(self, speed: float | None) -> None:
        """Set the factor applied to recorded time, or None for the maximum speed."""
        self._speed = speed
        if self._player is not None:
            self._player.set_speed(speed)

    def play(self) -> None:
        """Start or continue playback. After the end, the track restarts."""
        player = self._need_player()
        if player.state is PlayerState.FINISHED:
            if self._sender.trip_to is not None:  # the trip has ended, so a new one is needed
                self._discard_player()
                player = self._need_player()
            player.seek(0)
            self._retimed = self._unrouted = 0
        player.play()
        self.moved.emit()
        self.progressed.emit()

    def pause(self) -> None:
        """Pause at the current position."""
        if self._player is not None:
            self._player.pause()
        self.progressed.emit()

    def toggle(self) -> None:
        """Play or pause."""
        if self.status.state is SimulationState.PLAYING:
            self.pause()
        else:
            self.play()

    def step(self) -> None:
        """Send the next update."""
        self.moved.emit()
        self._need_player().step()

    def stop(self) -> None:
        """Stop and return to the start."""
        self._discard_player()
        self.progressed.emit()

    def reset(self) -> Callable[[], None]:
        """Reset the simulation to its initial state; return a function that waits until no more updates are sent.

        Call that function where blocking is allowed, before the engine forgets the device.
        """
        player, self._player = self._player, None
        self._forget_sent()
        self.progressed.emit()
        if player is None:
            return lambda: None
        player.pause()
        return player.stop

    def scrub(self, position: int) -> None:
        """Move to a position while the user drags the slider. Playback is paused."""
        if self._player is not None:
            self._player.pause()
        self.seek(position)

    def seek(self, position: int) -> None:
        """Continue with the update at `position`."""
        self._need_player().seek(position)
        self._retimed = self._unrouted = 0
        self.moved.emit()
        self.shown.emit()
        self.progressed.emit()

    def show(self, index: int) -> None:
        """Move to a fix whose outcome is being viewed, unless the track is playing."""
        if self.status.state is SimulationState.PLAYING:
            return
        self._need_player().seek(position_of(index))
        self._retimed = self._unrouted = 0
        self.shown.emit()
        self.progressed.emit()

    def _adopt_accuracy(self) -> None:
        """Use the accuracies of a track if all its fixes have one, else make sure that a number is set."""
        if all(fix.accuracy_m is not None for fix in self.fixes):
            self._sender = replace(self._sender, accuracy_m=None)
        elif self._sender.accuracy_m is None:
            self._sender = replace(self._sender, accuracy_m=DEFAULT_ACCURACY_M)

    def _demonstrate(self, demonstration: Demonstration | None) -> None:
        """Apply the settings of a demonstration, or restore the user's settings after it."""
        if demonstration == self.demonstration:
            return
        own = self._own or (self._sender, self._speed)
        self.demonstration = demonstration
        if demonstration is None:
            (self._sender, self._speed), self._own = own, None
        else:
            self._sender, self._speed, self._own = demonstration.sender, demonstration.speed, own

    def _need_player(self) -> Player[TrackResult]:
        if self._player is None:
            self._player = self._new_player()
        return self._player

    def _new_player(self) -> Player[TrackResult]:
        if self._send is None or not self.playable:
            raise RuntimeError("a track can only be played in an open workspace, and a demonstration only in its Test")
        updates = self._with_trip(self._sender.updates(self.fixes, self.phone))
        self._error = None
        self._retimed = self._unrouted = 0
        return Player(
            self._send,
            updates,
            speed=self._speed,
            on_step=partial(self._note_step, self._sent, self._accepted),
            on_finished=self.progressed.emit,
            on_error=self._note_error,
        )

    def _with_trip(self, updates: tuple[LocationUpdate, ...]) -> tuple[LocationUpdate, ...]:
        """Return updates that start a trip with the first and complete it with the last, if the sender has a trip."""
        trip = self._sender.new_trip()
        if trip is None or not updates:
            return updates
        *others, last = (replace(update, trip=trip) for update in updates)
        return (*others, replace(last, trip=replace(trip, status=TripStatus.COMPLETED)))

    def _note_step(
        self,
        sent: list[Sent],
        accepted: dict[int, datetime],
        index: int,
        update: LocationUpdate,
        result: TrackResult,
    ) -> None:
        sent.append(Sent(index, result.user.fix.at))
        accepted[index] = result.user.fix.at
        if result.user.fix.at != update.at:
            self._retimed += 1
        self._unrouted += result.lacks_route
        self.progressed.emit()

    def _forget_sent(self) -> None:
        self.series += 1
        self._sent, self._accepted = [], {}

    def _note_error(self, error: BaseException) -> None:
        self._error = error
        self.progressed.emit()

    def _discard_player(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            player.pause()
            self._retire(player.stop)


def _time(fix: ScheduledFix) -> datetime:
    return fix.at
