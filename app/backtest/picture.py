"""The map of a report as inline SVG: geofences by their events or differences, and the travel between them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from math import expm1, hypot, log1p
from typing import Final

from msgspec import Struct

from app.backtest.projection import WIDTH, Projection
from engine.backtest.results import BacktestReport, FenceDifferences, FenceResult, Travel
from engine.domain.words import brief_duration, count

MAX_DRAWN: Final = 2_000
"""Maximum number of geofences in the picture."""

MAX_LINES: Final = 80
"""Maximum number of lines between geofences."""

_LEAST_RADIUS: Final = 2.2
_CLASSES: Final = 5
_MOST_LABELS: Final = 12
_LONGEST_LABEL: Final = 28
_LETTER: Final = 6.2
_LINE_HEIGHT: Final = 14
_CORNER: Final = 48
"""Width at the edges of the picture that other labels have."""
_BEND: Final = 0.16
_SHORTEST_LINE: Final = 6.0


class _Colours(Struct, frozen=True):
    """The classes of colours of geofences, what they mean, and what is said about a geofence."""

    of: Callable[[FenceResult], str]
    weight: Callable[[FenceResult], int]
    about: Callable[[FenceResult], str]
    legend: tuple[tuple[str, str], ...]


def map_picture(report: BacktestReport) -> str:
    """Return the map with its legend, or an empty text without geofences."""
    if not report.geofences:
        return ""
    colours = _by_events(report.geofences) if report.comparison is None else _by_differences(report)
    order = sorted(range(len(report.geofences)), key=lambda number: _importance(report.geofences[number], colours))
    drawn = order[-MAX_DRAWN:]
    fences = [report.geofences[number] for number in drawn]
    view = Projection.of(fences)
    lines = _lines(report, frozenset(drawn))
    parts = (
        *_graticule(view),
        *_curves(report, lines, view),
        *_circles(fences, view, colours),
        *_labels(fences, view, colours),
        _scale_bar(view),
    )
    return (
        f'<div class="map"><svg viewBox="0 0 {WIDTH} {view.height:g}" role="img" aria-label="Map of the geofences">'
        f"{_ARROW}{''.join(parts)}</svg></div>{_legend(colours, lines)}{_left_out(report, len(drawn))}"
    )


_ARROW: Final = (
    '<defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
)


def _importance(geofence: FenceResult, colours: _Colours) -> tuple[int, int, float]:
    return colours.weight(geofence), geofence.events, geofence.radius_m


def _by_events(geofences: Sequence[FenceResult]) -> _Colours:
    most = max(each.events for each in geofences)
    legend = [("e0", "no event")] if any(not each.events for each in geofences) else []
    return _Colours(
        lambda geofence: f"e{_class_of(geofence.events, most)}",
        lambda geofence: geofence.events,
        lambda geofence: count(geofence.events, "event"),
        (*legend, *((f"e{number}", text) for number, text in _ranges(most))),
    )


def _by_differences(report: BacktestReport) -> _Colours:
    found = _differences(report)
    nothing = FenceDifferences("", "")

    def of(geofence: FenceResult) -> FenceDifferences:
        return found.get((geofence.tag, geofence.external_id), nothing)

    def kind(geofence: FenceResult) -> str:
        each = of(geofence)
        net = each.gained - each.lost
        if net:
            return f"{'up' if net > 0 else 'down'} n{_class_of(abs(net), most)}"
        return "moved" if each.total else "e0"

    most = max((abs(each.gained - each.lost) for each in found.values()), default=0)
    return _Colours(
        kind,
        lambda geofence: of(geofence).total,
        lambda geofence: (
            f"{of(geofence).gained:,} gained, {of(geofence).lost:,} lost, {of(geofence).moved:,} moved; "
            f"{count(geofence.events, 'event')}"
        ),
        (
            ("up n5", "more gained than lost"),
            ("down n5", "more lost than gained"),
            ("moved", "moved, or as many gained as lost"),
            ("e0", "no difference"),
        ),
    )


def _differences(report: BacktestReport) -> Mapping[tuple[str, str], FenceDifferences]:
    if report.comparison is None:
        return {}
    return {(each.tag, each.external_id): each for each in report.comparison.geofences}


def _class_of(number: int, most: int) -> int:
    """Return the class of a number on a logarithmic scale, 0 for none."""
    if not number:
        return 0
    return next((each for each in range(1, _CLASSES) if number <= _limit(each, most)), _CLASSES)


def _limit(number: int, most: int) -> int:
    """Return the largest number in a class."""
    return most if number == _CLASSES else int(expm1(number / _CLASSES * log1p(most)))


def _ranges(most: int) -> Iterator[tuple[int, str]]:
    """Yield the classes that numbers up to `most` have, and their limits."""
    least = 1
    for number in range(1, _CLASSES + 1):
        last = _limit(number, most)
        if last >= least:
            yield number, f"{least:,}" if last == least else f"{least:,}–{last:,}"
            least = last + 1


def _circles(fences: Sequence[FenceResult], view: Projection, colours: _Colours) -> Iterator[str]:
    """Yield the geofences, the large ones first."""
    for each in sorted(fences, key=lambda geofence: -geofence.radius_m):
        x, y = view.at(each.longitude, each.latitude)
        title = f"{each.name}{f' · {each.description}' if each.description else ''}: {colours.about(each)}"
        yield (
            f'<circle class="{colours.of(each)}" cx="{x:.1f}" cy="{y:.1f}" '
            f'r="{max(_LEAST_RADIUS, view.length(each)):.1f}"><title>{escape(title)}</title></circle>'
        )


def _lines(report: BacktestReport, drawn: frozenset[int]) -> list[Travel]:
    """Return the most frequent travel between different geofences of the picture."""
    found = [
        each
        for each in report.travels
        if each.origin != each.destination and each.origin in drawn and each.destination in drawn
    ]
    return sorted(found, key=lambda travel: -travel.count)[:MAX_LINES]


def _curves(report: BacktestReport, lines: Sequence[Travel], view: Projection) -> Iterator[str]:
    """Yield the lines, whose bend to the right of the travel keeps both directions apart."""
    most = max((each.count for each in lines), default=1)
    for each in reversed(lines):
        origin, destination = report.geofences[each.origin], report.geofences[each.destination]
        (x, y), (to_x, to_y) = (view.at(place.longitude, place.latitude) for place in (origin, destination))
        if hypot(to_x - x, to_y - y) < _SHORTEST_LINE:
            continue
        bend_x, bend_y = (x + to_x) / 2 - (to_y - y) * _BEND, (y + to_y) / 2 + (to_x - x) * _BEND
        width = 0.8 + 5.2 * each.count / most
        title = f"{origin.name} → {destination.name}: {count(each.count, 'time')}, on average {_average(each)}"
        yield (
            f'<path class="line" marker-end="url(#arrow)" stroke-width="{width:.1f}" d="M{x:.1f} {y:.1f}'
            f'Q{bend_x:.1f} {bend_y:.1f} {to_x:.1f} {to_y:.1f}"><title>{escape(title)}</title></path>'
        )


def _average(travel: Travel) -> str:
    return brief_duration(travel.duration_s / travel.count)


def _labels(fences: Sequence[FenceResult], view: Projection, colours: _Colours) -> Iterator[str]:
    """Yield the names of the most important geofences whose labels do not overlap."""
    taken: list[tuple[float, float, float]] = []
    for each in sorted(fences, key=lambda geofence: _importance(geofence, colours), reverse=True):
        if len(taken) == _MOST_LABELS or not colours.weight(each):
            return
        name = each.external_id if len(each.external_id) <= _LONGEST_LABEL else f"{each.external_id[:_LONGEST_LABEL]}…"
        x, y = view.at(each.longitude, each.latitude)
        y -= max(_LEAST_RADIUS, view.length(each)) + 4
        half = len(name) * _LETTER / 2
        x = min(max(x, half), WIDTH - half)
        if any(abs(y - other_y) < _LINE_HEIGHT and abs(x - other) < half + wide for other, other_y, wide in taken):
            continue
        taken.append((x, y, half))
        yield f'<text class="name" x="{x:.1f}" y="{max(y, 11):.1f}" text-anchor="middle">{escape(name)}</text>'


def _graticule(view: Projection) -> Iterator[str]:
    for x, name in view.meridians():
        yield f'<path class="rule" d="M{x:.1f} 0V{view.height:g}"/>'
        if _CORNER < x < WIDTH - view.scale_bar()[0] - 2 * _CORNER:
            yield f'<text x="{x + 4:.1f}" y="{view.height - 6:g}">{name}</text>'
    for y, name in view.parallels():
        yield f'<path class="rule" d="M0 {y:.1f}H{WIDTH}"/>'
        if y > _LINE_HEIGHT:
            yield f'<text x="4" y="{y - 4:.1f}">{name}</text>'


def _scale_bar(view: Projection) -> str:
    length, label = view.scale_bar()
    right, bottom = WIDTH - 14, view.height - 12
    return (
        f'<path class="bar" d="M{right - length:.1f} {bottom - 5:g}V{bottom:g}H{right}V{bottom - 5:g}"/>'
        f'<text x="{right - length / 2:.1f}" y="{bottom - 8:g}" text-anchor="middle">{label}</text>'
    )


def _legend(colours: _Colours, lines: Sequence[Travel]) -> str:
    swatches = [
        f'<span><svg class="map" viewBox="0 0 12 12"><circle class="{kind}" cx="6" cy="6" r="5"/></svg>{text}</span>'
        for kind, text in colours.legend
    ]
    if lines:
        text = f"travel, up to {count(lines[0].count, 'time')}"
        swatches.append(
            f'<span><svg class="map wide" viewBox="0 0 24 12"><path class="line" stroke-width="2.5" d="M1 6H23"/></svg>'
            f"{text}</span>"
        )
    return f'<div class="legend">{"".join(swatches)}</div>'


def _left_out(report: BacktestReport, drawn: int) -> str:
    if drawn == len(report.geofences):
        return ""
    what = "events" if report.comparison is None else "differences"
    return (
        f'<p class="more">The map has the {drawn:,} of {count(len(report.geofences), "geofence")} with most {what}.</p>'
    )
