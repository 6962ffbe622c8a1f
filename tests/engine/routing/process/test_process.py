"""The routing process: it starts with the first search, ends after the last one, and may crash safely."""

import os
import signal
import time
from mmap import ACCESS_READ, mmap
from pathlib import Path

import pytest

from engine.domain.area import Area
from engine.domain.errors import RoutingUnavailable
from engine.domain.routing import Route, RouteOptions
from engine.routing.answering import read_routes
from engine.routing.areas import AreaRouter
from engine.routing.local import LocalService, Searches, new_process
from engine.routing.memory import private_bytes, resident_bytes
from engine.routing.process.client import Order, RoutingProcess
from engine.routing.process.store import MAX_IDLE, ActorStore
from engine.routing.service import UNEXPECTED, Action, Deadline, Refused
from tests.engine.routing.town import at


class Actor:
    """An actor that fails on request."""

    def __call__(self, action: str, request: str) -> str:
        if request == "bad":
            raise Refused(UNEXPECTED, "bad allocation")
        if request == "far":
            raise Refused(442, "no way")
        return request


def made(roads: str, exact: bool) -> Actor:
    return Actor()


def work(store: ActorStore, roads: str, request: str = "good") -> Actor:
    with store.lent(roads, Action.ROUTE) as actor:
        assert actor(Action.ROUTE, request) == request
        assert isinstance(actor, Actor)
        return actor


def answered(router: AreaRouter) -> bool:
    try:
        return router.route(at(0, 0), at(0, 600), RouteOptions()) is not None
    except RoutingUnavailable:
        return False


def test_the_process_ends_when_no_search_came_for_the_idle_time(town_roads: Area) -> None:
    router = AreaRouter([town_roads], idle_s=0.2)
    assert router.route(at(0, 0), at(0, 600), RouteOptions()) is not None
    pid = router.searches.pid
    assert pid is not None
    deadline = Deadline(30)
    while resident_bytes(pid) and deadline.rest_s() > 0:
        time.sleep(0.02)
    assert (router.searches.pid, resident_bytes(pid)) == (None, 0)
    assert router.route(at(0, 0), at(0, 600), RouteOptions()) is not None, "another one starts"
    router.close()


def test_all_areas_share_one_process(town_roads: Area) -> None:
    router = AreaRouter([town_roads, town_roads])
    assert router.route(at(0, 0), at(0, 600), RouteOptions()) is not None
    assert {each.searches for each in router._routers} == {router.searches}
    router.close()
    assert router.searches.pid is None


def test_after_a_crash_of_the_process_the_next_request_is_answered(town_roads: Area) -> None:
    router = AreaRouter([town_roads])
    assert router.route(at(0, 0), at(0, 600), RouteOptions()) is not None
    crashed = router.searches.pid
    assert crashed is not None
    os.kill(crashed, signal.SIGKILL)
    deadline = Deadline(30)
    while not answered(router) and deadline.rest_s() > 0:  # asked before its end was noticed
        time.sleep(0.02)
    assert router.searches.pid not in (None, crashed)
    router.close()


def test_impossible_orders_are_refused_and_end_nothing(town_roads: Area, tmp_path: Path) -> None:
    process = RoutingProcess(2)
    tool = process.tool()
    for _ in range(2):
        with pytest.raises(Refused):
            tool(Order(str(tmp_path / "missing.tar"), Action.ROUTE), "{}")
    with pytest.raises(Refused):
        tool(Order(str(town_roads.roads), Action.ROUTE), "not JSON")
    assert process.pid is not None
    tool.close()
    assert process.pid is None


def test_an_answer_that_cannot_be_read_is_an_error_of_routing(town_roads: Area) -> None:
    searches = Searches(1)
    service, request = LocalService(town_roads, searches), {"locations": [{"lat": 50, "lon": 10}], "costing": "auto"}

    def read(answer: object) -> tuple[Route, ...]:
        return read_routes(answer, 1)  # the reader expects roads

    with pytest.raises(RoutingUnavailable, match="cannot be read"):
        service.ask(Action.LOCATE, request, Deadline(30), read)
    with pytest.raises(RoutingUnavailable, match="cannot be read"):
        service.ask_all(Action.LOCATE, [request], Deadline(30), read)
    searches.close()


def test_actors_are_lent_again_unless_they_failed() -> None:
    store = ActorStore(made, used=lambda: 0)
    first = work(store, "a")
    assert work(store, "a") is first
    assert work(store, "b") is not first
    with pytest.raises(Refused):
        work(store, "a", request="far")
    assert work(store, "a") is first
    with pytest.raises(Refused):
        work(store, "a", request="bad")
    assert work(store, "a") is not first


def test_idle_actors_go_above_their_number_and_above_the_budget() -> None:
    used = 0
    store = ActorStore(made, budget=100, used=lambda: used)
    for number in range(MAX_IDLE + 3):
        work(store, str(number))
    assert store.idle == MAX_IDLE
    used = 101
    work(store, "0")
    assert store.idle == 0


def test_the_one_used_longest_ago_goes_first_and_only_as_many_as_needed() -> None:
    store = ActorStore(made, budget=80, used=lambda: 40 * store.idle)
    first, second = work(store, "a"), work(store, "b")
    assert work(store, "a") is first, "so b was used longest ago"
    assert store.idle == 2
    work(store, "c")
    assert store.idle == 2
    assert work(store, "a") is first
    assert work(store, "b") is not second


def test_the_memory_of_this_process_counts_without_mapped_files(tmp_path: Path) -> None:
    file, size = tmp_path / "tiles", 40_000_000
    file.write_bytes(bytes(size))
    before = private_bytes()
    with file.open("rb") as opened, mmap(opened.fileno(), 0, access=ACCESS_READ) as tiles:
        assert sum(tiles[::4096]) == 0, "every page was read"
        assert abs(private_bytes() - before) < size / 4
    kept = bytearray(b"x" * size)
    assert 0.9 * size < private_bytes() - before < 1.5 * size
    assert len(kept) == size


def test_an_area_that_was_built_again_gets_another_actor(tmp_path: Path) -> None:
    store, roads = ActorStore(made, used=lambda: 0), tmp_path / "roads.tar"
    roads.write_bytes(b"1")
    first = work(store, str(roads))
    assert work(store, str(roads)) is first
    (tmp_path / "new.tar").write_bytes(b"2")
    (tmp_path / "new.tar").replace(roads)
    assert work(store, str(roads)) is not first


def test_routers_of_changed_areas_share_a_process(town_roads: Area) -> None:
    process = new_process()
    former, current = (AreaRouter([town_roads], process=process) for _ in range(2))
    assert answered(former)
    assert answered(current)
    pid = process.pid
    assert pid is not None
    former.close()
    assert process.pid == pid
    assert answered(current)
    current.close()
    assert process.pid is None
