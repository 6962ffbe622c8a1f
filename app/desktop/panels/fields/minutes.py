"""Travel time in minutes, dragged or typed."""

from __future__ import annotations

from app.desktop.language import tr
from app.desktop.panels.fields.sliding import SlidingNumber
from engine.domain.routing import MAX_MINUTES


class MinutesEdit(SlidingNumber):
    """A travel time with a slider from one minute to the maximum of an isochrone."""

    def __init__(self) -> None:
        super().__init__(tr("Travel time"), "min", 1, MAX_MINUTES)
