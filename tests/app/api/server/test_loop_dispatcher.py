"""Results from another thread, all of which reach the event loop."""

import asyncio
import threading

import pytest

from app.api.http.services import LoopDispatcher
from engine.domain.ports import Done, settle


def addressed(dispatcher: LoopDispatcher[int]) -> tuple[asyncio.Future[int], Done[int]]:
    """Return a future of the running loop, and the callback that settles it from any thread."""
    future: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    return future, dispatcher.address(settle(future))


def test_many_letters_from_another_thread() -> None:
    async def main() -> list[int]:
        dispatcher: LoopDispatcher[int] = LoopDispatcher(asyncio.get_running_loop())
        addresses = [addressed(dispatcher) for _ in range(2000)]

        def deliver() -> None:
            for number, (_, done) in enumerate(addresses):
                done(number, None)

        thread = threading.Thread(target=deliver)
        thread.start()
        results = await asyncio.gather(*(future for future, _ in addresses))
        thread.join()
        return results

    assert asyncio.run(main()) == list(range(2000))


def test_an_error_is_raised_in_the_awaiting_task() -> None:
    async def main() -> object:
        future, done = addressed(LoopDispatcher(asyncio.get_running_loop()))
        done(None, ValueError("no"))
        return (await asyncio.gather(future, return_exceptions=True))[0]

    assert isinstance(asyncio.run(main()), ValueError)


def test_a_result_for_a_cancelled_waiter_is_dropped() -> None:
    async def main() -> int | None:
        dispatcher: LoopDispatcher[int] = LoopDispatcher(asyncio.get_running_loop())
        (cancelled, complete_cancelled), (waiting, complete_waiting) = addressed(dispatcher), addressed(dispatcher)
        cancelled.cancel()
        complete_cancelled(1, None)
        complete_waiting(2, None)
        return await waiting

    assert asyncio.run(main()) == 2


def test_a_letter_to_a_closed_loop_does_not_hurt_the_sender() -> None:
    async def main() -> LoopDispatcher[int]:
        return LoopDispatcher(asyncio.get_running_loop())

    loop = asyncio.new_event_loop()
    dispatcher = loop.run_until_complete(main())
    done = dispatcher.address(lambda result, error: None)
    loop.close()
    done(1, None)
    done(2, None)


def test_a_receiver_that_fails_does_not_keep_the_others_from_theirs(caplog: pytest.LogCaptureFixture) -> None:
    def fail(_result: int | None, _error: BaseException | None) -> None:
        raise ValueError("no")

    async def main() -> int:
        dispatcher: LoopDispatcher[int] = LoopDispatcher(asyncio.get_running_loop())
        future, done = addressed(dispatcher)
        dispatcher.address(fail)(1, None)
        done(2, None)
        return await future

    assert asyncio.run(main()) == 2
    assert "could not be handed over" in caplog.text
