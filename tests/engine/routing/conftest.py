"""Routers over the made-up town and over real extracts."""

from collections.abc import Iterator

import pytest

from engine.domain.area import Area
from engine.routing.areas import AreaRouter
from engine.routing.local import LocalRouter
from tests.engine.routing.extracts import real_area, town_area
from tests.shared import SharedData


@pytest.fixture(scope="session")
def town_roads(tmp_path_factory: pytest.TempPathFactory) -> Area:
    """The town's area."""
    return town_area(tmp_path_factory)


@pytest.fixture(scope="session")
def town(town_roads: Area) -> Iterator[LocalRouter]:
    """A router in the town."""
    yield from _closing(LocalRouter(town_roads, workers=2))


@pytest.fixture(scope="session")
def liechtenstein(shared_data: SharedData) -> Iterator[LocalRouter]:
    """A router in Liechtenstein."""
    yield from _closing(LocalRouter(real_area(shared_data, "liechtenstein"), workers=2))


@pytest.fixture(scope="session")
def porto(shared_data: SharedData) -> Iterator[LocalRouter]:
    """A router in Porto."""
    yield from _closing(LocalRouter(real_area(shared_data, "porto"), workers=2))


@pytest.fixture(scope="session")
def state_college(shared_data: SharedData) -> Iterator[LocalRouter]:
    """A router in State College."""
    yield from _closing(LocalRouter(real_area(shared_data, "state-college"), workers=2))


@pytest.fixture(scope="session")
def lower_manhattan(shared_data: SharedData) -> Iterator[LocalRouter]:
    """A router in the south of New York."""
    yield from _closing(LocalRouter(real_area(shared_data, "nyc-lower"), workers=2))


@pytest.fixture(scope="session")
def heidelberg(shared_data: SharedData) -> Iterator[LocalRouter]:
    """A router in Heidelberg."""
    yield from _closing(LocalRouter(real_area(shared_data, "heidelberg"), workers=2))


@pytest.fixture(scope="session")
def malta(shared_data: SharedData) -> Iterator[LocalRouter]:
    """A router on Malta."""
    yield from _closing(LocalRouter(real_area(shared_data, "malta"), workers=2))


@pytest.fixture
def router(place: str, shared_data: SharedData, request: pytest.FixtureRequest) -> LocalRouter:
    """The router in the place that a test names; pytest does not know beforehand that it is a shared one."""
    found: LocalRouter = request.getfixturevalue(place)
    return found


@pytest.fixture(scope="module")
def two_areas(town_roads: Area, shared_data: SharedData) -> Iterator[AreaRouter]:
    """A router over the town and Liechtenstein."""
    router = AreaRouter([town_roads, real_area(shared_data, "liechtenstein")])
    yield router
    router.close()


def _closing(router: LocalRouter) -> Iterator[LocalRouter]:
    yield router
    router.close()
