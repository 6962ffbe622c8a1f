"""Lengths, areas and predicted confidences as text."""

from __future__ import annotations

from collections.abc import Sequence

from app.desktop.language import counted, tr, within_sentence
from app.desktop.model.words import confidence_word, rings_text
from engine.domain.geometry import Geometry, Polygon, Position
from engine.geo.shaping.measuring import area_m2, enclosed_m2, length_m, perimeter_m
from engine.tracking.predicted import Prediction

_KM = 10_000.0
_KM2 = 1_000_000.0


def length_text(metres: float) -> str:
    """Return a length in a readable unit."""
    if metres < 100:
        return tr("{metres:.1f} m", metres=metres)
    return (
        tr("{metres:.0f} m", metres=metres) if metres < _KM else tr("{kilometres:,.2f} km", kilometres=metres / 1_000)
    )


def area_text(square_metres: float) -> str:
    """Return an area in a readable unit."""
    if square_metres < 100:
        return tr("{square_metres:.1f} m²", square_metres=square_metres)
    return (
        tr("{square_metres:.0f} m²", square_metres=square_metres)
        if square_metres < _KM2
        else tr("{square_kilometres:,.3f} km²", square_kilometres=square_metres / _KM2)
    )


def shape_measures(geometry: Geometry) -> str:
    """Return the area and perimeter of a geometry, and for several rings the numbers of parts, holes and vertices."""
    text = tr(
        "Area {area}, perimeter {perimeter}",
        area=area_text(area_m2(geometry)),
        perimeter=length_text(perimeter_m(geometry)),
    )
    if isinstance(geometry, Polygon) and not geometry.is_single_ring:
        text += f", {rings_text(geometry.coordinates)}"
    return text


def line_measures(line: Sequence[Position]) -> str:
    """Return the length of a line, and the area it encloses if it is closed."""
    text = tr("Distance {length}", length=length_text(length_m(line)))
    if len(line) > 2:
        text += tr(
            " in {segments}, the last {length}",
            segments=counted(len(line) - 1, "segment"),
            length=length_text(length_m(line[-2:])),
        )
        text += tr(
            "\nArea {area}, closed by {length}",
            area=area_text(enclosed_m2(line)),
            length=length_text(length_m((line[-1], line[0]))),
        )
    return text


def prediction_text(prediction: Prediction) -> str:
    """Return a description of the confidence to expect for entries of a geofence."""
    center = tr("outside") if prediction.center is None else within_sentence(confidence_word(prediction.center))
    shares = zip(prediction.shares, (tr("high"), tr("medium"), tr("low")), strict=True)
    spread = ", ".join(f"{share:.0%} {word}" for share, word in shares if share > 0)
    return tr(
        "Centre: {center_confidence}\nEdge: {edge_confidence}\n"
        "Inside, on average: {average_confidence:.1f} of 3 ({confidence_shares})",
        center_confidence=center,
        edge_confidence=within_sentence(confidence_word(prediction.edge)),
        average_confidence=prediction.average,
        confidence_shares=spread,
    )
