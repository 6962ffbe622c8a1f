"""The ring of the latest requests, whose size in bytes is bounded for any requests from any number of threads."""

from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

from hypothesis import given, settings
from hypothesis import strategies as st

from app.api.http.request_log.ring import KEPT_BODY, OVERHEAD, RequestLog, size_of
from engine.domain.environment import ApiKey, Environment, KeyLevel
from engine.domain.ports import SystemClock

TEST_KEY = ApiKey(Environment.TEST, KeyLevel.PUBLISHABLE, "prj_test_pk_1")
LIVE_KEY = ApiKey(Environment.LIVE, KeyLevel.SECRET, "a key of Live")


class Ring:
    """The two keys, for a log that recognizes them."""

    def find(self, value: str) -> ApiKey | None:
        """Return the key with this value."""
        return next((key for key in (TEST_KEY, LIVE_KEY) if key.value == value), None)


def new_log(max_bytes: int = 100_000) -> RequestLog:
    """Return an empty log."""
    return RequestLog(SystemClock(), Ring(), max_bytes)


def add(log: RequestLog, size: int = 10, *, key: str = "", live: bool | None = None) -> None:
    """Add a request with a body of this size."""
    head = f"POST /v1/track HTTP/1.1\r\nAuthorization: {key}\r\n\r\n".encode()
    body = b"x" * min(size, KEPT_BODY)
    log.add(perf_counter(), "127.0.0.1", live, head, body, size, 200, b"HTTP/1.1 200 OK\r\n\r\n{}", 2)


@settings(max_examples=60, deadline=None)
@given(sizes=st.lists(st.integers(0, 200_000), max_size=60), max_bytes=st.integers(0, 300_000))
def test_no_sequence_of_requests_takes_more_than_the_bound(sizes: list[int], max_bytes: int) -> None:
    log = new_log(max_bytes)
    for size in sizes:
        add(log, size)
        kept = log.snapshot()
        assert log.size == sum(map(size_of, kept)) <= max_bytes
    numbers = [each.number for each in log.snapshot()]
    assert numbers == list(range(len(sizes) - len(numbers) + 1, len(sizes) + 1)), "the newest stay, in their order"


@settings(max_examples=40, deadline=None)
@given(lives=st.lists(st.sampled_from([True, False, None]), max_size=30), live=st.booleans())
def test_clearing_removes_an_environment_and_requests_without_a_key(lives: list[bool | None], live: bool) -> None:
    log = new_log()
    for each in lives:
        add(log, live=each)
    cleared = log.clear(live=live)
    kept = log.snapshot()
    assert [each.live for each in kept] == [each for each in lives if each is (not live)]
    assert cleared == len(lives) - len(kept)
    assert log.size == sum(map(size_of, kept))


def test_the_key_gives_the_environment_even_after_it_was_rotated_away() -> None:
    log = new_log()
    for key in (TEST_KEY.value, f"Bearer {TEST_KEY.value}", LIVE_KEY.value, "prj_live_sk_0123", "prj_test_sk_0", ""):
        add(log, key=key)
    assert [each.live for each in log.snapshot()] == [False, False, True, True, None, None]


def test_many_threads_add_read_and_clear_at_once() -> None:
    log, rung = new_log(50_000), [0]

    def ring() -> None:
        rung[0] += 1

    end = log.subscribe(ring)

    def work(thread: int) -> None:
        for number in range(300):
            add(log, number * 20, live=bool(thread % 2))
            if number % 50 == 0:
                log.clear(live=thread == 0)
            kept = log.snapshot()
            assert sum(map(size_of, kept)) <= 50_000
            assert [each.number for each in kept] == sorted({each.number for each in kept})

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert log.size == sum(map(size_of, log.snapshot()))
    end()
    before = rung[0]
    add(log)
    assert rung[0] == before > 0


def test_a_request_counts_at_least_the_size_of_its_objects() -> None:
    log = new_log(20 * OVERHEAD)
    for _ in range(100):
        add(log, 0)
    assert len(log.snapshot()) < 20


def test_the_time_goes_on_between_two_looks_at_the_clock() -> None:
    log, clock = new_log(), SystemClock()
    before = clock.now()
    for _ in range(3):
        add(log)
    first, *_, last = log.snapshot()
    assert abs((first.at - before).total_seconds()) < 5
    assert last.at >= first.at
    assert first.at.microsecond % 1000 == 0
