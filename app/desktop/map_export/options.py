"""Options of a map export."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from app.desktop.map.values import Theme
from app.desktop.map_export.writing import Output

RATIOS: Final = (
    *(500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000),
    *(250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000),
)


class MapExportOptions(Struct, frozen=True):
    """The chosen contents of the sheet, and its format.

    A `ratio` is the scale on paper: one millimetre on the paper is this many millimetres on the ground.
    """

    title: str
    theme: Theme
    output: Output
    with_legend: bool = True
    with_names: bool = True
    with_scale: bool = True
    with_north: bool = True
    ratio: int | None = None
