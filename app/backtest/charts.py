"""Small charts as inline SVG: events by the hour of the day, and a matrix of travel between geofences."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Final

from engine.backtest.results import BacktestReport, FenceResult, Travel
from engine.domain.words import count

MAX_PLACES: Final = 15
"""Maximum number of rows and columns of the matrix."""

_WIDTH: Final = 480
_HEIGHT: Final = 150
_BASE: Final = 22
"""Height of the labels below the bars."""
_TOP: Final = 16
_LABELLED: Final = 3
"""Hours from one label to the next."""
_SPARK: Final = (72, 18)


def hours_of(geofences: Sequence[FenceResult]) -> tuple[int, ...]:
    """Return the events of all geofences by the hour of the day."""
    return tuple(map(sum, zip(*(each.hours for each in geofences), strict=True))) or (0,) * 24


def hours_chart(hours: Sequence[int]) -> str:
    """Return a bar for each hour of the day."""
    step, most = _WIDTH / len(hours), max(hours) or 1
    room = _HEIGHT - _BASE - _TOP
    bars = []
    for hour, number in enumerate(hours):
        height = room * number / most
        bars.append(
            f'<rect x="{hour * step + 1.5:.1f}" y="{_HEIGHT - _BASE - height:.1f}" width="{step - 3:.1f}" '
            f'height="{height:.1f}" rx="1.5"><title>{hour:02}:00–{hour:02}:59: {count(number, "event")}</title></rect>'
        )
    labels = "".join(
        f'<text x="{(hour + 0.5) * step:.1f}" y="{_HEIGHT - 6}" text-anchor="middle">{hour:02}</text>'
        for hour in range(0, len(hours), _LABELLED)
    )
    return (
        f'<svg class="hours" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Events by hour of the day">'
        f'<path class="rule" d="M0 {_TOP}H{_WIDTH}M0 {_HEIGHT - _BASE}H{_WIDTH}"/>'
        f'<text x="0" y="{_TOP - 5}">{max(hours):,}</text>{"".join(bars)}{labels}</svg>'
    )


def spark(hours: Sequence[int]) -> str:
    """Return the hours of a geofence as bars in the size of a word."""
    most = max(hours)
    if not most:
        return ""
    width, height = _SPARK
    step = width / len(hours)
    bars = "".join(
        f"M{hour * step:g} {height}v{-max(1, round(height * number / most))}h{step - 1:g}V{height}z"
        for hour, number in enumerate(hours)
        if number
    )
    return f'<svg class="spark" viewBox="0 0 {width} {height}" aria-hidden="true"><path d="{bars}"/></svg>'


def matrix(report: BacktestReport) -> str:
    """Return the travel between the geofences with most of it: origins in rows, destinations in columns."""
    places = _busiest(report.travels)
    counts = {(each.origin, each.destination): each.count for each in report.travels}
    most = max((counts.get((a, b), 0) for a in places for b in places), default=1) or 1
    names = [escape(report.geofences[place].name) for place in places]
    columns = "".join(f'<th title="{name}">{number}</th>' for number, name in enumerate(names, 1))
    rows = "\n".join(
        f"<tr><th>{number}</th><td><code>{name}</code></td>"
        + "".join(_cell(counts.get((origin, destination), 0), most) for destination in places)
        + "</tr>"
        for number, (origin, name) in enumerate(zip(places, names, strict=True), 1)
    )
    return (
        f'<div class="scroll"><table class="matrix">\n<thead><tr><th></th><th>From … to</th>{columns}</tr></thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table></div>"
    )


def _busiest(travels: Sequence[Travel]) -> list[int]:
    """Return the geofences that most travel begins or ends in."""
    totals: Counter[int] = Counter()
    for travel in travels:
        totals[travel.origin] += travel.count
        totals[travel.destination] += travel.count
    return [place for place, _ in totals.most_common(MAX_PLACES)]


def _cell(number: int, most: int) -> str:
    if not number:
        return "<td></td>"
    percent = 8 + 62 * number / most
    return f'<td style="background:color-mix(in srgb,var(--accent) {percent:.0f}%,transparent)">{number:,}</td>'
