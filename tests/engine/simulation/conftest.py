"""Routers over real extracts and the made-up town, as in the tests of routing."""

from tests.engine.routing.conftest import liechtenstein, town, town_roads, two_areas

__all__ = ["liechtenstein", "town", "town_roads", "two_areas"]
