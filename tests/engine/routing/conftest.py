"""Routers over the made-up town and over real extracts."""

from collections.abc import Iterator

import pytest

from engine.domain.area import Area
from engine.routing.areas import AreaRouter
from engine.routing.local import LocalRouter
from tests.engine.routing.extracts import real_area, town_area


@pytest.fixture(scope="session")
def town_roads(tmp_path_factory: pytest.TempPathFactory) -> Area:
    """The town's area."""
    return town_area(tmp_path_factory)


@pytest.fixture(scope="session")
def town(town_roads: Area) -> Iterator[LocalRouter]:
    """A router in the town."""
    yield from _closing(LocalRouter(town_roads, workers=2))


@pytest.fixture(scope="session")
def liechtenstein() -> Iterator[LocalRouter]:
    """A router in Liechtenstein."""
    yield from _closing(LocalRouter(real_area("liechtenstein"), workers=2))


@pytest.fixture(scope="session")
def porto() -> Iterator[LocalRouter]:
    """A router in Porto."""
    yield from _closing(LocalRouter(real_area("porto"), workers=2))


@pytest.fixture(scope="session")
def state_college() -> Iterator[LocalRouter]:
    """A router in State College."""
    yield from _closing(LocalRouter(real_area("state-college"), workers=2))


@pytest.fixture(scope="session")
def lower_manhattan() -> Iterator[LocalRouter]:
    """A router in the south of New York."""
    yield from _closing(LocalRouter(real_area("nyc-lower"), workers=2))


@pytest.fixture(scope="session")
def heidelberg() -> Iterator[LocalRouter]:
    """A router in Heidelberg."""
    yield from _closing(LocalRouter(real_area("heidelberg"), workers=2))


@pytest.fixture(scope="session")
def malta() -> Iterator[LocalRouter]:
    """A router on Malta."""
    yield from _closing(LocalRouter(real_area("malta"), workers=2))


@pytest.fixture(scope="module")
def two_areas(town_roads: Area) -> Iterator[AreaRouter]:
    """A router over the town and Liechtenstein."""
    router = AreaRouter([town_roads, real_area("liechtenstein")])
    yield router
    router.close()


def _closing(router: LocalRouter) -> Iterator[LocalRouter]:
    yield router
    router.close()
