"""Lengths, areas and predicted confidences in words."""

from __future__ import annotations

from collections.abc import Sequence

from app.desktop.language import within_sentence
from app.desktop.model.words import confidence_word, count
from engine.domain.geometry import Geometry, Position
from engine.geo.shaping.measuring import area_m2, enclosed_m2, length_m, perimeter_m
from engine.tracking.predicted import Prediction

_KM = 10_000.0
_KM2 = 1_000_000.0


def length_text(metres: float) -> str:
    """Return a length as people write it."""
    if metres < 100:
        return f"{metres:.1f} m"
    return f"{metres:,.0f} m" if metres < _KM else f"{metres / 1_000:,.2f} km"


def area_text(square_metres: float) -> str:
    """Return an area as people write it."""
    if square_metres < 100:
        return f"{square_metres:.1f} m²"
    return f"{square_metres:,.0f} m²" if square_metres < _KM2 else f"{square_metres / _KM2:,.3f} km²"


def shape_measures(geometry: Geometry) -> str:
    """Return the area and the perimeter of a geometry."""
    return f"Area {area_text(area_m2(geometry))}, perimeter {length_text(perimeter_m(geometry))}"


def line_measures(line: Sequence[Position]) -> str:
    """Return the length of a line, and the area that it encloses when it is closed."""
    text = f"Distance {length_text(length_m(line))}"
    if len(line) > 2:
        text += f" in {count(len(line) - 1, 'segment')}, the last {length_text(length_m(line[-2:]))}"
        text += f"\nArea {area_text(enclosed_m2(line))}, closed by {length_text(length_m((line[-1], line[0])))}"
    return text


def prediction_text(prediction: Prediction) -> str:
    """Return what entries of a geofence will be like."""
    center = "outside" if prediction.center is None else within_sentence(confidence_word(prediction.center))
    shares = zip(prediction.shares, ("high", "medium", "low"), strict=True)
    spread = ", ".join(f"{share:.0%} {word}" for share, word in shares if share > 0)
    return (
        f"Centre: {center}\nEdge: {within_sentence(confidence_word(prediction.edge))}\n"
        f"Inside, on average: {prediction.average:.1f} of 3 ({spread})"
    )
