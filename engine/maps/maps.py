"""Maps of a workspace for clients: their tiles, glyphs and pictures."""

from collections.abc import Callable

from engine.domain.area import Area
from engine.maps.archives import AreaTiles
from engine.maps.glyphs import Glyphs
from engine.maps.pictures.picture import Pictures
from engine.maps.world import WorldMap


class Maps:
    """The maps of an open workspace. Files are read on first use, and no content is rendered twice."""

    def __init__(self, areas: Callable[[], tuple[Area, ...]]) -> None:
        """Show the areas that `areas` returns."""
        self.areas_in_use = areas
        self.streets = AreaTiles(areas)
        self.world = WorldMap()
        self.glyphs = Glyphs()
        self.pictures = Pictures(areas, self.streets.tile, self.world.tile)

    def close(self) -> None:
        """Close all files."""
        self.streets.close()
