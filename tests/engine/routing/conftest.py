"""Routers over the made-up town and over real extracts."""

from collections.abc import Iterator

import pytest

from engine.areas.folder import read_area
from engine.areas.library import BUNDLED
from engine.domain.area import Area
from engine.routing.areas import AreaRouter
from engine.routing.local import LocalRouter, Searches
from tests.engine.routing.extracts import real_area, town_area
from tests.shared import SharedData


@pytest.fixture(scope="session")
def town_roads(tmp_path_factory: pytest.TempPathFactory) -> Area:
    """The town's area."""
    return town_area(tmp_path_factory)


@pytest.fixture(scope="session")
def town(town_roads: Area) -> Iterator[LocalRouter]:
    """A router in the town."""
    yield from _closing(LocalRouter(town_roads, searches=Searches(2)))


@pytest.fixture(scope="session")
def liechtenstein(shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalRouter]:
    """A router in Liechtenstein."""
    yield from _closing(LocalRouter(real_area(shared_data, tmp_path_factory, "liechtenstein"), searches=Searches(2)))


@pytest.fixture(scope="session")
def porto(shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalRouter]:
    """A router in Porto."""
    yield from _closing(LocalRouter(real_area(shared_data, tmp_path_factory, "porto"), searches=Searches(2)))


@pytest.fixture(scope="session")
def lower_manhattan(shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalRouter]:
    """A router in the south of New York."""
    yield from _closing(LocalRouter(real_area(shared_data, tmp_path_factory, "nyc-lower"), searches=Searches(2)))


@pytest.fixture(scope="session")
def heidelberg(shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalRouter]:
    """A router in Heidelberg."""
    yield from _closing(LocalRouter(real_area(shared_data, tmp_path_factory, "heidelberg"), searches=Searches(2)))


@pytest.fixture(scope="session")
def malta(shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalRouter]:
    """A router on Malta."""
    yield from _closing(LocalRouter(real_area(shared_data, tmp_path_factory, "malta"), searches=Searches(2)))


@pytest.fixture(scope="session")
def helsinki() -> Iterator[LocalRouter]:
    """A router in the bundled area."""
    area = read_area(BUNDLED / "helsinki")
    if area is None:
        pytest.skip("the bundled area has not been built; the setup does it")
    yield from _closing(LocalRouter(area, searches=Searches(2)))


@pytest.fixture
def router(place: str, shared_data: SharedData, request: pytest.FixtureRequest) -> LocalRouter:
    """The router in the place named by a test, for tests that need roads everywhere."""
    if place == "liechtenstein":
        shared_data.extract(place)  # the drawn one has few roads
    found: LocalRouter = request.getfixturevalue(place)
    return found


@pytest.fixture(scope="module")
def two_areas(
    town_roads: Area, shared_data: SharedData, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[AreaRouter]:
    """A router over the town and Liechtenstein."""
    router = AreaRouter([town_roads, real_area(shared_data, tmp_path_factory, "liechtenstein")])
    yield router
    router.close()


def _closing(router: LocalRouter) -> Iterator[LocalRouter]:
    yield router
    router.close()
