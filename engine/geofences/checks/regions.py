"""Checks of geofences against their surroundings: the areas of the workspace, and roads."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.domain.area import Area, halves
from engine.domain.geofence import Geofence
from engine.domain.geometry import Isochrone
from engine.domain.routing import Edge, is_far
from engine.domain.travel import TravelMode
from engine.domain.words import count
from engine.geo.earth import distances_m
from engine.geo.shapes import shape_of
from engine.geofences.checks.findings import Check, Finding, Severity, name_of
from engine.geofences.checks.surroundings import CheckProgress, Fences, Surroundings

_USUAL_KMH: Final = {TravelMode.FOOT: 4.0, TravelMode.BIKE: 12.0}
_USUAL_OTHERS_KMH: Final = 20.0
_SHORT: Final = 0.15
"""Fraction of the usual distance for the travel time below which an isochrone is suspicious."""


def find_isochrones(fences: Fences, around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find isochrones whose destination is far from a road, or whose reach is unusually short."""
    for geofence, isochrone in _isochrones(fences, report):
        text = _wrong_with(geofence, isochrone, around)
        if text:
            yield Finding(Check.ISOCHRONE, Severity.WARNING, (geofence.summary,), text, isochrone.center)


def _wrong_with(geofence: Geofence, isochrone: Isochrone, around: Surroundings) -> str:
    name, center, mode = name_of(geofence), isochrone.center, isochrone.mode
    away_m = shape_of(isochrone).distance_m(center.longitude, center.latitude)
    road_m = around.road_distance_m(center, mode)
    if road_m is not None and is_far(road_m):
        return f"The destination of {name} is {road_m:.0f} m from the nearest road for {mode}."
    if is_far(away_m):
        return f"The destination of {name} is {away_m:.0f} m outside its own boundary: no road for {mode} leads there."
    ring = np.asarray(isochrone.ring)
    reach_m = float(distances_m(center.longitude, center.latitude, ring[:, 0], ring[:, 1]).max())
    usual_m = isochrone.minutes / 60 * _USUAL_KMH.get(mode, _USUAL_OTHERS_KMH) * 1_000
    if reach_m < _SHORT * usual_m:
        minutes = f"{isochrone.minutes:g} min"
        return f"{name} reaches only {reach_m:.0f} m in {minutes} by {mode}: the roads there lead nowhere."
    return ""


def find_edges(fences: Fences, around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find isochrones that end where the roads of an area end."""
    for geofence, isochrone in _isochrones(fences, report):
        edge = around.edge(isochrone)
        if edge is not None:
            text = _text_of(edge, geofence)
            yield Finding(Check.EDGE, Severity.WARNING, (geofence.summary,), text, isochrone.center)


def _isochrones(fences: Fences, report: CheckProgress) -> Iterator[tuple[Geofence, Isochrone]]:
    """Yield the isochrones, and report each."""
    for number in fences.rings.tolist():
        geofence = fences[number]
        if isinstance(geofence.geometry, Isochrone):
            report(number)
            yield geofence, geofence.geometry


def _text_of(edge: Edge, geofence: Geofence) -> str:
    name, area, minutes = name_of(geofence), edge.area, edge.inside
    if not minutes:
        return f"{name} ends at the edge of the area {area}, where its roads end: even 1 min would reach it."
    return f"{name} ends at the edge of the area {area}, where its roads end: up to {minutes} min would stay inside."


def find_outside_areas(fences: Fences, around: Surroundings, report: CheckProgress) -> Iterator[Finding]:
    """Find the geofences outside all areas in use, for which there are no streets, routes and addresses."""
    report(0)
    outside = np.flatnonzero(~_covered(fences, around.areas_in_use))
    if not (len(around.areas) and len(outside)):
        return
    elsewhere = _covered(fences, around.areas)[outside]
    for numbers, is_installed in ((outside[elsewhere], True), (outside[~elsewhere], False)):
        if len(numbers):
            yield _outside(fences, numbers, around, installed=is_installed)


def _outside(fences: Fences, numbers: NDArray[np.int64], around: Surroundings, *, installed: bool) -> Finding:
    geofences = [fences[number] for number in numbers.tolist()]
    is_one, who = len(geofences) == 1, name_of(geofences[0])
    if not is_one:
        who = count(len(geofences), "geofence")
    # Whole sentences, since the window translates each as one.
    if installed:
        unused = [area.name for area in around.areas if area not in around.areas_in_use]
        holding = [name for name in unused if any(_holds(around.areas, name, fences, n) for n in numbers.tolist())]
        where = " and ".join(holding)
        if is_one:
            text = (
                f"{who} is in {where}, which is installed but not in use: "
                f"no street map, routes, isochrones or addresses there."
            )
        else:
            text = (
                f"{who} are in {where}, which is installed but not in use: "
                f"no street map, routes, isochrones or addresses there."
            )
    elif is_one:
        text = f"{who} is outside every installed area: no street map, routes, isochrones or addresses there."
    else:
        text = f"{who} are outside every installed area: no street map, routes, isochrones or addresses there."
    summaries = tuple(geofence.summary for geofence in geofences)
    place = fences.center(int(numbers[0]))
    return Finding(Check.OUTSIDE_AREAS, Severity.INFO, summaries, text, place)


def _holds(areas: Sequence[Area], name: str, fences: Fences, number: int) -> bool:
    return any(area.name == name and area.covers(fences.center(number)) for area in areas)


def _covered(fences: Fences, areas: Sequence[Area]) -> NDArray[np.bool]:
    """Return for each geofence whether its centre is in one of the areas."""
    covered = np.zeros(len(fences), bool)
    longitudes, latitudes = (fences.centers[:, 0] + 540) % 360 - 180, fences.centers[:, 1]
    for west, south, east, north in (box for area in areas for box in halves(area.bounds)):
        covered |= (west <= longitudes) & (longitudes <= east) & (south <= latitudes) & (latitudes <= north)
    return covered
