"""Content of a track file read so far: its positions, and the unreadable places."""

from collections import Counter
from collections.abc import Callable
from math import isnan
from typing import Final

from engine.domain.errors import InvalidParameter
from engine.domain.tracking.tracks import Track, TrackPoint
from engine.domain.values import replace
from engine.domain.words import count
from engine.simulation.formats import fields

MAX_NAMED: Final = 100
"""Maximum number of unreadable places that are named; further ones are counted."""

MAX_SKIPPED: Final = 100_000
"""Number of further unreadable places above which reading stops, because the file is not a track."""

MAX_DEVICES: Final = 1_000
_MAX_NOTE: Final = 300
_DEVICES_SHOWN: Final = 5


def lacking(part: int, whole: int, noun: str, missing: str, nouns: str = "") -> str:
    """Return a sentence on how many of all items lack a property; `missing` is "no times" and the like."""
    everything = count(whole, noun, nouns)
    return f"{part:,} of {everything} has {missing}." if part == 1 else f"{part:,} of {everything} have {missing}."


class Skipped:
    """The places that could not be read: the first ones by name, and the number of further ones."""

    def __init__(self) -> None:
        self.named: list[str] = []
        self.more = 0

    def add(self, message: str) -> None:
        """Add a sentence that begins with its place; raises `InvalidParameter` if there are far too many."""
        if len(self.named) < MAX_NAMED:
            self.named.append(message if len(message) <= _MAX_NOTE else f"{message[:_MAX_NOTE]}…")
        else:
            self.more += 1
        if self.more > MAX_SKIPPED:
            first = self.named[0].removesuffix(".")
            raise InvalidParameter("track", f"{first}; the same problem occurs in {MAX_SKIPPED:,} more places.")

    def extend(self, others: "Skipped") -> None:
        """Add all places of another instance."""
        for message in others.named:
            self.add(message)
        self.more += others.more

    def lines(self) -> tuple[str, ...]:
        """Return the places as lines for the user."""
        return (*self.named, *([f"{self.more:,} more could not be read."] if self.more else ()))


class Found:
    """Collects the results of a reader. A file may contain several devices, of which a track has one."""

    def __init__(self) -> None:
        self.count = 0
        self._points: dict[str | None, list[TrackPoint]] = {}
        self.skipped = Skipped()
        self._notes: list[str] = []
        self._by_time = False

    def add(self, point: TrackPoint, device: str | None = None) -> None:
        """Add a position; raises `InvalidParameter` if there are more than a track may have."""
        self.count += 1
        fields.check_count(self.count)
        self._points.setdefault(device, []).append(point)
        if len(self._points) > MAX_DEVICES:
            raise InvalidParameter("track", f"it has positions of more than {MAX_DEVICES:,} devices.")

    def attempt(self, place: str, read: Callable[[], TrackPoint], device: str | None = None) -> None:
        """Add the position that `read` returns, or name the place if it raises `InvalidParameter`."""
        try:
            point = read()
        except InvalidParameter as error:
            self.skip(f"{place}: {error.message}")
            return
        self.add(point, device)

    def skip(self, message: str) -> None:
        """Add a sentence about an unreadable place; it begins with the place."""
        self.skipped.add(message)

    def note(self, message: str) -> None:
        """Add a note about the file as a whole."""
        self._notes.append(message)

    def leave_out(self, number: int, noun: str, why: str) -> None:
        """Note the number of items that are not part of the track, and the reason."""
        items = count(number, noun)
        if number:
            self.note(f"{items} is {why} and is left out." if number == 1 else f"{items} are {why} and are left out.")

    def leave_out_untimed(self, part: int, whole: int, noun: str) -> None:
        """Note the number of items without times in a file in which the rest has them."""
        everything = count(whole, noun)
        if part:
            self.note(
                f"{part:,} of {everything} has no times and is left out."
                if part == 1
                else f"{part:,} of {everything} have no times and are left out."
            )

    def order_by_time(self) -> None:
        """Let `track` sort the positions by time, because the format lists them in another order."""
        self._by_time = True

    def track(self, name: str, device: str | None = None) -> Track:
        """Return the track of a device, by default of the one with most positions.

        Raises `InvalidParameter` if there is no position, or naming ``device`` if the file has no position of that
        device.
        """
        if not self.count:
            raise InvalidParameter(
                "track", self.skipped.named[0] if self.skipped.named else "it contains no positions."
            )
        chosen = self._device(device)
        points = self._points[chosen]
        if self._by_time and all(point.at is not None for point in points):
            points = sorted(points, key=lambda point: point.at.timestamp() if point.at else 0.0)
        about_points = (*_untimed(points), *_without_speeds(points))
        notes = (*self._others(chosen), *self._notes, *about_points, *self.skipped.lines())
        known = tuple(replace(point, speed_mps=None) if _has_unread_speed(point) else point for point in points)
        return Track(name, known, notes)

    def _device(self, wanted: str | None) -> str | None:
        if wanted is None:
            return max(self._points, key=lambda device: len(self._points[device]))
        if wanted in self._points:
            return wanted
        known = [device for device in self._points if device is not None][:10]
        there = f"it has positions of {', '.join(known)}" if known else "the file names no devices"
        raise InvalidParameter("device", f"device: the file has no positions of {wanted!r}; {there}.")

    def _others(self, chosen: str | None) -> list[str]:
        others = Counter(
            {device: len(points) for device, points in self._points.items() if device not in (chosen, None)}
        )
        shown = ", ".join(f"{device} ({number:,})" for device, number in others.most_common(_DEVICES_SHOWN))
        if len(others) > _DEVICES_SHOWN:
            shown += f" and {count(len(others) - _DEVICES_SHOWN, 'more device')}"
        if chosen is None:
            return [f"Only the positions that name no device are used, not those of {shown}."] if shown else []
        unnamed = len(self._points.get(None, ()))
        left_out = [f"those of {shown}"] * bool(shown) + [f"those that name no device ({unnamed:,})"] * bool(unnamed)
        return [f"Only the positions of {chosen} are used, not {' or '.join(left_out)}."] if left_out else []


def _without_speeds(points: list[TrackPoint]) -> list[str]:
    """Return a note on positions whose speed is unreadable."""
    unread = sum(map(_has_unread_speed, points))
    return [lacking(unread, len(points), "position", "a speed that cannot be read")] if unread else []


def _has_unread_speed(point: TrackPoint) -> bool:
    return point.speed_mps is not None and isnan(point.speed_mps)


def _untimed(points: list[TrackPoint]) -> list[str]:
    """Return a note on positions without times if others have them."""
    missing = sum(point.at is None for point in points)
    return [lacking(missing, len(points), "position", "no times")] if 0 < missing < len(points) else []
