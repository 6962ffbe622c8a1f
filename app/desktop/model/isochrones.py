"""Trial isochrones: the request to a router and the interpretation of its response."""

from msgspec import Struct

from app.desktop.language import tr
from engine.domain.errors import InvalidParameter
from engine.domain.geofence import GeofenceChange
from engine.domain.geometry import Isochrone, Point, Ring
from engine.domain.routing import Edge, Isochrones, Moved, Router, is_far
from engine.domain.travel import TravelMode
from engine.domain.values import replace
from engine.geo.rings import simplified

DEFAULT_MINUTES = 15.0
_FEW_MINUTES = 5
"""Minutes by car below which walking is proposed in a small area."""

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
    """A trial isochrone of the geofence `fence_id`, or of a new geofence to be called `name`.

    If it is only `proposed`, the user has chosen neither mode nor time, and another one may be better in a small area.
    """

    center: Point
    minutes: float
    mode: TravelMode
    bands: bool = False
    fence_id: str | None = None
    name: str = ""
    proposed: bool = False

    @property
    def steps(self) -> tuple[float, ...]:
        """All travel times to request, in minutes, longest first."""
        return band_minutes(self.minutes) if self.bands else (self.minutes,)

    @property
    def change(self) -> GeofenceChange:
        """The change that turns it into a geofence."""
        position = (self.center.longitude, self.center.latitude)
        change = GeofenceChange(type="isochrone", coordinates=position, size=self.minutes, mode=self.mode.value)
        return replace(change, description=self.name) if self.name else change

    @property
    def text(self) -> str:
        """Description such as ``15 min by car``."""
        return travel_text(self.minutes, self.mode)


class Band(Struct, frozen=True):
    """The ring around the area from which the destination can be reached within `minutes`."""

    minutes: float
    ring: Ring


class Reached(Struct, frozen=True):
    """The part of a router's response to draw. The road found is `moved_m` from the destination.

    `edge` is the edge of an area that is reached. `instead` is the trial that was answered in place of a proposed one.
    """

    bands: tuple[Band, ...]
    moved_m: float
    edge: Edge | None = None
    instead: Trial | None = None

    @property
    def note(self) -> str:
        """The note at the destination, if any."""
        if is_far(self.moved_m):
            return tr("{distance:.0f} m from the nearest road", distance=self.moved_m)
        return "" if self.edge is None else tr("Cut off at the edge of the area {area_name}", area_name=self.edge.area)


def edge_text(edge: Edge | None) -> str:
    """Return a warning that an isochrone is cut off at the edge of an area, with the time that stays inside, or ""."""
    if edge is None:
        return ""
    if not edge.inside:
        return tr("Too small: the roads of the area {area_name} end here, even for 1 min.", area_name=edge.area)
    return tr(
        "Too small: the roads of the area {area_name} end here. Up to {travel_time} stay inside.",
        area_name=edge.area,
        travel_time=travel_text(edge.inside, edge.mode),
    )


def moved_text(moved: Moved) -> str:
    """Return the distance by which a destination was moved, as a sentence."""
    return tr(
        "The destination was moved {distance:.0f} m to the nearest road for {travel_mode}.",
        distance=moved.moved_m,
        travel_mode=moved.mode,
    )


def travel_text(minutes: float, mode: TravelMode) -> str:
    """Return a travel time as text: ``15 min by car``, ``5 min on foot``."""
    return tr("{minutes:g} min {travel_mode}", minutes=minutes, travel_mode=WAYS[mode])


def band_minutes(minutes: float) -> tuple[float, ...]:
    """Return a few round numbers of minutes up to this one, largest first: ``15, 10, 5``."""
    step = next((step for step in _BAND_STEPS if minutes / step <= _MOST_BANDS), _BAND_STEPS[-1])
    below = [float(step * number) for number in range(1, _MOST_BANDS + 1) if step * number < minutes]
    return (minutes, *reversed(below))


def reach(trial: Trial, router: Router) -> Reached:
    """Return the result of a trial; in place of a proposed one that reaches the edge, of one that stays inside."""
    found = _reach(trial, router)
    if not trial.proposed or found.edge is None:
        return found
    inside = _inside(trial, found.edge, router)
    return found if inside is None else replace(_reach(inside, router), instead=inside)


def _reach(trial: Trial, router: Router) -> Reached:
    found = reached(trial, router.isochrones(trial.center, trial.steps, trial.mode))
    ring = found.bands[0].ring
    isochrone = Isochrone(ring, center=trial.center, minutes=trial.minutes, mode=trial.mode)
    return replace(found, edge=router.edge(isochrone))


def _inside(trial: Trial, edge: Edge, router: Router) -> Trial | None:
    """Return a trial with fewer minutes or on foot, or None if every one reaches the edge."""
    by_car = replace(trial, minutes=float(edge.inside), proposed=False) if edge.inside else None
    if edge.inside >= _FEW_MINUTES:
        return by_car
    on_foot = replace(trial, mode=TravelMode.FOOT, proposed=False)
    try:
        edge_on_foot = _reach(on_foot, router).edge
    except InvalidParameter:  # no path is near
        return by_car
    if edge_on_foot is None:
        return on_foot
    return replace(on_foot, minutes=float(edge_on_foot.inside)) if edge_on_foot.inside > edge.inside else by_car


def reached(trial: Trial, answer: Isochrones) -> Reached:
    """Return the bands to draw of a router's response, each with the ring that a geofence would have.

    Raises `InvalidParameter` for ``coordinates`` if there is no ring for the whole time.
    """
    found = [
        Band(minutes, simplified(rings[0])) for minutes, rings in zip(trial.steps, answer.bands, strict=True) if rings
    ]
    if not found or found[0].minutes != trial.minutes:
        raise InvalidParameter(
            "coordinates", tr("coordinates: nothing can reach this point within {travel_time}.", travel_time=trial.text)
        )
    return Reached(tuple(found), answer.moved_m)
