"""Lengths, areas and predicted confidences as text."""

from __future__ import annotations

from collections.abc import Sequence

from app.desktop.language import counted, tr, within_sentence
from app.desktop.model.words import confidence_word
from engine.domain.geometry import Geometry, Position
from engine.geo.shaping.measuring import area_m2, enclosed_m2, length_m, perimeter_m
from engine.tracking.predicted import Prediction

_KM = 10_000.0
_KM2 = 1_000_000.0


def length_text(metres: float) -> str:
    """Return a length in a readable unit."""
    if metres < 100:
        return tr("{metres:.1f} m", metres=metres)
    return tr("{metres:.0f} m", metres=metres) if metres < _KM else tr("{metres:,.2f} km", metres=metres / 1_000)


def area_text(square_metres: float) -> str:
    """Return an area in a readable unit."""
    if square_metres < 100:
        return tr("{square_metres:.1f} m²", square_metres=square_metres)
    return (
        tr("{square_metres:.0f} m²", square_metres=square_metres)
        if square_metres < _KM2
        else tr("{square_metres:,.3f} km²", square_metres=square_metres / _KM2)
    )


def shape_measures(geometry: Geometry) -> str:
    """Return the area and the perimeter of a geometry."""
    return tr(
        "Area {area_m2}, perimeter {perimeter_m}",
        area_m2=area_text(area_m2(geometry)),
        perimeter_m=length_text(perimeter_m(geometry)),
    )


def line_measures(line: Sequence[Position]) -> str:
    """Return the length of a line, and the area it encloses if it is closed."""
    text = tr("Distance {length_m}", length_m=length_text(length_m(line)))
    if len(line) > 2:
        text += tr(
            " in {segments}, the last {length_m}",
            segments=counted(len(line) - 1, "segment"),
            length_m=length_text(length_m(line[-2:])),
        )
        text += tr(
            "\nArea {enclosed_m2}, closed by {length_m}",
            enclosed_m2=area_text(enclosed_m2(line)),
            length_m=length_text(length_m((line[-1], line[0]))),
        )
    return text


def prediction_text(prediction: Prediction) -> str:
    """Return a description of the confidence to expect for entries of a geofence."""
    center = tr("outside") if prediction.center is None else within_sentence(confidence_word(prediction.center))
    shares = zip(prediction.shares, (tr("high"), tr("medium"), tr("low")), strict=True)
    spread = ", ".join(f"{share:.0%} {word}" for share, word in shares if share > 0)
    return tr(
        "Centre: {center}\nEdge: {confidence_word}\nInside, on average: {average:.1f} of 3 ({spread})",
        center=center,
        confidence_word=within_sentence(confidence_word(prediction.edge)),
        average=prediction.average,
        spread=spread,
    )
