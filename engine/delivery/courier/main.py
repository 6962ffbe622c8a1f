"""The courier's process: ``python -m engine.delivery.courier.main DATABASE``.

It reads orders from its standard input and writes reports to its standard output. It ends when its input ends, so it
never outlives the process that started it.
"""

import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import BinaryIO, Final

from engine.delivery.courier.courier import Courier
from engine.delivery.courier.messages import frames
from engine.store.delivery.waiting import WaitingDeliveries

NICE: Final = 5
"""Niceness of the process, so that updates take precedence on a busy machine.

The remaining share is enough for a thousand requests a second.
"""


def _read(stream: BinaryIO, loop: asyncio.AbstractEventLoop, courier: Courier) -> None:
    with suppress(RuntimeError):  # the loop is closed
        for kind, content in frames(stream):
            loop.call_soon_threadsafe(courier.obey, kind, content)
        loop.call_soon_threadsafe(courier.ended.set)


def _report(content: bytes) -> None:
    with suppress(BrokenPipeError):  # the reader has ended, and the end of the input follows
        while content:
            content = content[os.write(1, content) :]


async def _main(database: Path) -> None:
    loop = asyncio.get_running_loop()
    courier = Courier(loop, WaitingDeliveries(database), _report)
    Thread(target=_read, args=(sys.stdin.buffer, loop, courier), daemon=True).start()
    await courier.ended.wait()


def main() -> None:
    """Send until the input ends."""
    database = Path(sys.argv[1])
    if hasattr(os, "nice"):  # Windows has none
        os.nice(NICE)
    try:
        import uvloop
    except ImportError:  # not available for Windows
        asyncio.run(_main(database))
    else:
        uvloop.run(_main(database))
    # Requests still in progress are abandoned.
    os._exit(0)


if __name__ == "__main__":
    main()
