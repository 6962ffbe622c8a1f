"""Routers over real extracts and the made-up town, as the tests of routing have them."""

from tests.engine.routing.conftest import liechtenstein, town, town_roads, two_areas

__all__ = ["liechtenstein", "town", "town_roads", "two_areas"]
