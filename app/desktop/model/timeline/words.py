"""Texts about a fix in the timeline, and about all fixes in a table."""

from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from io import StringIO
from itertools import groupby

import numpy as np

from app.desktop.language import tr
from app.desktop.model.timeline.reading import MOST
from app.desktop.model.timeline.timeline import Cut, Overlay, Timeline
from app.desktop.model.why import distance_text
from app.desktop.model.words import clock_time, fence_name, metres
from engine.domain.clock import utc_text
from engine.geo.earth import Floats
from engine.geo.zones import zone_at
from engine.tabular.spreadsheet import write_rows
from engine.tracking.series.curves import Curve

_NAMED = 3
_CUTS = {
    Cut.FIXES: (
        tr("the newest {count:,} fixes", count=MOST.fixes),
        tr("More location updates are kept: a timeline shows the newest {count:,} of a device.", count=MOST.fixes),
    ),
    Cut.EVENTS: (
        tr("the newest {count:,} events", count=MOST.events),
        tr("There are more events: a timeline marks the newest {count:,} of a device.", count=MOST.events),
    ),
    Cut.CLOCK: (
        tr("what came since the clock was put back"),
        tr("More location updates are kept: those from before the clock was put back are not shown."),
    ),
}


def cut_texts(cuts: Collection[Cut]) -> tuple[str, str]:
    """Return a note about missing parts of a device's history: a short one, and one with the reasons."""
    texts = [text for cut, text in _CUTS.items() if cut in cuts]
    if not texts:
        return "", ""
    return tr("Only {shown_parts}", shown_parts=", ".join(short for short, _ in texts)), "\n".join(
        reason for _, reason in texts
    )


def fix_text(timeline: Timeline, index: int, shown: Collection[str]) -> str:
    """Return a description of a fix: its time, the distances to the nearest geofences, speed and accuracy."""
    zone = zone_at(float(timeline.way.longitudes[index]), float(timeline.way.latitudes[index]))
    parts = [clock_time(timeline.moment(index), zone)]
    curves = [each for each in timeline.curves if each.geofence.id in shown and not np.isnan(each.distances_m[index])]
    nearest = sorted(curves, key=lambda each: float(each.distances_m[index]))[:_NAMED]
    parts += [f"{fence_name(each.geofence)}: {_distance(each.distances_m, index)}" for each in nearest]
    if not np.isnan(speed := timeline.speeds_kmh[index]):
        parts.append(tr("{speed:.0f} km/h", speed=speed))
    parts.append(tr("accuracy {accuracy}", accuracy=metres(float(timeline.way.accuracies_m[index]))))
    return " · ".join(parts)


def _distance(distances_m: Floats, index: int) -> str:
    return distance_text(round(float(distances_m[index]), 1))


def table_rows(timeline: Timeline, overlay: Overlay, curves: Sequence[Curve]) -> Iterator[list[str | Decimal | None]]:
    """Yield the rows of a table: a header, then each fix with its distance to each geofence, and the events."""
    names = [f"distance to {fence_name(each.geofence)} (m)" for each in curves]
    facts = ["time", "latitude", "longitude", "accuracy (m)", "speed (km/h)"]
    yield [*facts, *names, "events", "withheld"]
    happened = {at: list(marks) for at, marks in groupby(overlay.marks, key=lambda mark: mark.at)}
    way = timeline.way
    for index in range(len(timeline)):
        marks = happened.get(index, ())
        speed = timeline.speeds_kmh[index]
        yield [
            utc_text(timeline.moment(index)),
            _number(way.latitudes[index], 7),
            _number(way.longitudes[index], 7),
            Decimal(f"{way.accuracies_m[index]:g}"),
            _number(speed, 2),
            *(_number(each.distances_m[index], 3) for each in curves),
            "; ".join(mark.text for mark in marks if mark.event is not None),
            "; ".join(mark.text for mark in marks if mark.event is None),
        ]


def _number(value: float, digits: int) -> Decimal | None:
    return None if np.isnan(value) else Decimal(f"{value:.{digits}f}")


def table_text(timeline: Timeline, overlay: Overlay, curves: Sequence[Curve]) -> str:
    """Return the table as CSV."""
    text = StringIO()
    write_rows(text, table_rows(timeline, overlay, curves))
    return text.getvalue()
