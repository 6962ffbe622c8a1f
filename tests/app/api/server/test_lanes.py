"""Long operations that are run once, in a thread, for all clients that wait for them."""

import asyncio
import threading

import pytest

from app.api.http.lanes import Once


def test_concurrent_callers_share_one_result() -> None:
    made: list[threading.Thread] = []
    begun, go_on = threading.Event(), threading.Event()

    def make() -> object:
        made.append(threading.current_thread())
        begun.set()
        assert go_on.wait(10)
        return object()

    async def ask() -> list[object]:
        once = Once(make)
        asking = [asyncio.create_task(once.get()) for _ in range(100)]
        await asyncio.to_thread(begun.wait, 10)
        asking.append(asyncio.create_task(once.get()))
        asking.pop(0).cancel()
        go_on.set()
        return [*await asyncio.gather(*asking), await once.get()]

    found = asyncio.run(ask())
    assert len(found) == 101
    assert len(set(map(id, found))) == 1
    assert [thread is threading.main_thread() for thread in made] == [False]


def test_a_failure_is_tried_again() -> None:
    outcomes = iter([1, 0])

    async def ask() -> float:
        once = Once(lambda: 1 // (1 - next(outcomes)))
        with pytest.raises(ZeroDivisionError):
            await once.get()
        return await once.get()

    assert asyncio.run(ask()) == 1
