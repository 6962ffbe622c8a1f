"""Isochrones as they are tried out: what is asked of a router, and what its answer means."""

from msgspec import Struct

from app.desktop.language import tr
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Point, Ring
from engine.domain.routing import Isochrones, Moved, is_far
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geo.rings import simplified

DEFAULT_MINUTES = 15.0
_BAND_STEPS = (1, 2, 5, 10, 15, 30)
_MOST_BANDS = 4

WAYS = {
    TravelMode.CAR: tr("by car"),
    TravelMode.TRUCK: tr("by truck"),
    TravelMode.FOOT: tr("on foot"),
    TravelMode.BIKE: tr("by bike"),
    TravelMode.MOTORBIKE: tr("by motorbike"),
}


class Trial(Struct, frozen=True):
    """An isochrone that is tried out: of the geofence `fence_id`, or of one that may be created and called `name`."""

    center: Point
    minutes: float
    mode: TravelMode
    bands: bool = False
    fence_id: str | None = None
    name: str = ""

    @property
    def steps(self) -> tuple[float, ...]:
        """All minutes to ask for, the most first."""
        return band_minutes(self.minutes) if self.bands else (self.minutes,)

    @property
    def change(self) -> GeofenceChange:
        """The change that makes a geofence of it."""
        where = (self.center.longitude, self.center.latitude)
        change = GeofenceChange(type="isochrone", coordinates=where, size=self.minutes, mode=self.mode.value)
        return replace(change, description=self.name) if self.name else change

    @property
    def text(self) -> str:
        """Return it in words: ``15 min by car``."""
        return travel_text(self.minutes, self.mode)


class Band(Struct, frozen=True):
    """The ring from within which one gets there in so many minutes."""

    minutes: float
    ring: Ring


class Reached(Struct, frozen=True):
    """The part of a router's answer to draw; the road that was found is `moved_m` from the destination."""

    bands: tuple[Band, ...]
    moved_m: float

    @property
    def note(self) -> str:
        """The note at the destination, if any."""
        return tr("{moved_m:.0f} m from the nearest road", moved_m=self.moved_m) if is_far(self.moved_m) else ""


def moved_text(moved: Moved) -> str:
    """Return how far a destination was moved, as a sentence."""
    return tr(
        "The destination was moved {moved_m:.0f} m to the nearest road for {mode}.",
        moved_m=moved.moved_m,
        mode=moved.mode,
    )


def travel_text(minutes: float, mode: TravelMode) -> str:
    """Return a travel time in words: ``15 min by car``, ``5 min on foot``."""
    return tr("{minutes:g} min {mode}", minutes=minutes, mode=WAYS[mode])


def band_minutes(minutes: float) -> tuple[float, ...]:
    """Return some round numbers of minutes up to this one, the most first: ``15, 10, 5``."""
    step = next((step for step in _BAND_STEPS if minutes / step <= _MOST_BANDS), _BAND_STEPS[-1])
    below = [float(step * number) for number in range(1, _MOST_BANDS + 1) if step * number < minutes]
    return (minutes, *reversed(below))


def reached(trial: Trial, answer: Isochrones) -> Reached:
    """Return what to draw of a router's answer: of each time the ring that a geofence would have.

    Raises `InvalidParameter` ``coordinates`` where there is none for the whole time.
    """
    found = [
        Band(minutes, simplified(rings[0])) for minutes, rings in zip(trial.steps, answer.bands, strict=True) if rings
    ]
    if not found or found[0].minutes != trial.minutes:
        raise InvalidParameter(
            "coordinates", tr("coordinates: nothing can reach this point within {trial}.", trial=trial.text)
        )
    return Reached(tuple(found), answer.moved_m)
