"""Results from another thread reach the event loop, all of them, and none is missed."""

import asyncio
import threading

from app.api.mailbox import Mailbox


def test_many_letters_from_another_thread() -> None:
    async def main() -> list[int]:
        mailbox: Mailbox[int] = Mailbox(asyncio.get_running_loop())
        addresses = [mailbox.address() for _ in range(2000)]

        def deliver() -> None:
            for number, (_, done) in enumerate(addresses):
                done(number, None)

        thread = threading.Thread(target=deliver)
        thread.start()
        results = await asyncio.gather(*(future for future, _ in addresses))
        thread.join()
        return results

    assert asyncio.run(main()) == list(range(2000))


def test_an_error_is_raised_where_the_result_was_awaited() -> None:
    async def main() -> object:
        future, done = Mailbox[int](asyncio.get_running_loop()).address()
        done(None, ValueError("no"))
        return (await asyncio.gather(future, return_exceptions=True))[0]

    assert isinstance(asyncio.run(main()), ValueError)


def test_a_letter_to_somebody_who_left_is_dropped() -> None:
    async def main() -> int | None:
        mailbox: Mailbox[int] = Mailbox(asyncio.get_running_loop())
        (gone, tell_gone), (there, tell_there) = mailbox.address(), mailbox.address()
        gone.cancel()
        tell_gone(1, None)
        tell_there(2, None)
        return await there

    assert asyncio.run(main()) == 2


def test_a_letter_to_a_closed_loop_does_not_hurt_the_sender() -> None:
    async def main() -> Mailbox[int]:
        return Mailbox(asyncio.get_running_loop())

    loop = asyncio.new_event_loop()
    mailbox = loop.run_until_complete(main())
    _, done = mailbox.address()
    loop.close()
    done(1, None)
    done(2, None)
