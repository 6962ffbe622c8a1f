"""The map: a Qt widget around a page made by folium. Of the engine it knows the built-in world and nothing else."""

from app.desktop.map.profile import MapProfile
from app.desktop.map.values import (
    Bounds,
    EventKind,
    MapArea,
    MapBand,
    MapBeacon,
    MapCircle,
    MapEvent,
    MapFence,
    MapIsochrone,
    MapLayers,
    MapPolygon,
    MapPreview,
    MapShape,
    MapTrack,
    Position,
    RadiusLimits,
    Theme,
    Tool,
)
from app.desktop.map.view import MapView

__all__ = [
    "Bounds",
    "EventKind",
    "MapArea",
    "MapBand",
    "MapBeacon",
    "MapCircle",
    "MapEvent",
    "MapFence",
    "MapIsochrone",
    "MapLayers",
    "MapPolygon",
    "MapPreview",
    "MapProfile",
    "MapShape",
    "MapTrack",
    "MapView",
    "Position",
    "RadiusLimits",
    "Theme",
    "Tool",
]
